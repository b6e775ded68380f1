SELECT t.text FROM terms AS t WHERE t.id IN (
  SELECT f.predicate FROM facts AS f
  WHERE f.group_key = ?1 AND f.expired_at = 4611686018427387904 AND f.object_kind = 'literal'
) AND t.text <> ''
