SELECT f.valid_at, f.id FROM facts AS f
WHERE f.object = (SELECT t.id FROM terms AS t WHERE t.group_key = :group_key AND t.text = :text)
  AND (:valid IS NULL OR (f.valid_at <= :valid AND f.invalid_at > :valid))
  AND f.created_at <= :system AND (:history OR f.expired_at > :system)
ORDER BY f.valid_at DESC, f.id DESC LIMIT :limit
