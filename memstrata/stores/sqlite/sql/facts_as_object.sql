SELECT f.valid_at, f.id, subject.text, object.text, f.object_kind = 'entity'
FROM (
  SELECT f.valid_at, f.id, f.subject, f.object, f.object_kind FROM facts AS f
  WHERE f.object = (SELECT t.id FROM terms AS t WHERE t.group_key = :group_key AND t.text = :text)
    AND f.object_kind = 'entity'
    AND (:last IS NULL OR (f.valid_at <= :last AND f.invalid_at > :first AND f.invalid_at > f.valid_at))
    AND f.created_at <= :system AND (:history OR f.expired_at > :system)
  ORDER BY f.valid_at DESC, f.id DESC LIMIT :limit
) AS f
JOIN terms AS subject ON subject.id = f.subject
JOIN terms AS object ON object.id = f.object
