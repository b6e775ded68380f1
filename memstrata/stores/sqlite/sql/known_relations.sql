-- From each predicate straight to the next: there are few, and many facts of each.
WITH RECURSIVE known (kind, predicate) AS (
  SELECT kinds.column1, (
    SELECT min(f.predicate) FROM facts AS f
    WHERE f.group_key = ?1 AND f.object_kind = kinds.column1 AND f.expired_at = 4611686018427387904
  ) FROM (VALUES ('entity'), ('literal')) AS kinds
  UNION ALL
  SELECT known.kind, (
    SELECT min(f.predicate) FROM facts AS f
    WHERE f.group_key = ?1 AND f.object_kind = known.kind AND f.expired_at = 4611686018427387904
      AND f.predicate > known.predicate
  ) FROM known WHERE known.predicate IS NOT NULL
)
SELECT DISTINCT t.text FROM known JOIN terms AS t ON t.id = known.predicate WHERE t.text <> ''
