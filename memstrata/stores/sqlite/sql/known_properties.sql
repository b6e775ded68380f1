-- From each predicate straight to the next: there are few, and many facts of each.
WITH RECURSIVE known (predicate) AS (
  SELECT min(f.predicate) FROM facts AS f
  WHERE f.group_key = ?1 AND f.object_kind = 'literal' AND f.expired_at = 4611686018427387904
  UNION ALL
  SELECT (
    SELECT min(f.predicate) FROM facts AS f
    WHERE f.group_key = ?1 AND f.object_kind = 'literal' AND f.expired_at = 4611686018427387904
      AND f.predicate > known.predicate
  ) FROM known WHERE known.predicate IS NOT NULL
)
SELECT t.text FROM known JOIN terms AS t ON t.id = known.predicate WHERE t.text <> ''
