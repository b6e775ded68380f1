SELECT
  g.group_id, g.last_seq,
  (SELECT count(*) FROM episodes AS e WHERE e.group_key = g.id AND e.expired_at = 4611686018427387904),
  (SELECT count(*) FROM episodes AS e WHERE e.group_key = g.id AND e.expired_at = 4611686018427387905),
  (SELECT count(*) FROM entities AS e WHERE e.group_key = g.id AND e.expired_at = 4611686018427387904),
  (SELECT count(*) FROM facts AS f WHERE f.group_key = g.id AND f.expired_at = 4611686018427387904),
  (SELECT count(*) FROM facts AS f WHERE f.group_key = g.id),
  (SELECT count(*) FROM placements AS p WHERE p.group_key = g.id AND p.retracted_at = 4611686018427387904),
  (SELECT count(*) FROM passages AS p WHERE p.group_key = g.id AND p.subject = 'fact' AND p.embedded = 0)
FROM groups AS g
ORDER BY g.group_id
