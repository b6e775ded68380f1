SELECT t.id, f.valid_at, f.id, f.subject, f.object, f.object_kind = 'entity'
FROM carray(:ends) AS wanted
CROSS JOIN terms AS t ON t.group_key = :group_key AND t.text = CAST(wanted.value AS TEXT)
CROSS JOIN facts AS f ON f.id IN (
  SELECT about.id FROM facts AS about
  WHERE about.subject = t.id
    AND (:last IS NULL OR (about.valid_at <= :last AND about.invalid_at > :first AND about.invalid_at > about.valid_at))
    AND about.created_at <= :system AND (:history OR about.expired_at > :system)
  ORDER BY about.valid_at DESC, about.id DESC LIMIT :limit
)
