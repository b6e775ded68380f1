WITH changed (subject, object) AS (
  SELECT f.subject, f.object FROM facts AS f
  WHERE f.group_key = ?1 AND f.expired_at > ?2 AND f.expired_at < 4611686018427387904
  UNION
  SELECT f.subject, f.object FROM facts AS f
  WHERE f.group_key = ?1 AND f.expired_at = 4611686018427387904 AND f.created_at > ?2
  UNION
  SELECT f.subject, f.object FROM evidence AS e JOIN facts AS f ON f.fact_id = e.fact_id
  WHERE e.group_key = ?1 AND e.expired_at > ?2 AND e.expired_at < 4611686018427387904
  UNION
  SELECT f.subject, f.object FROM evidence AS e JOIN facts AS f ON f.fact_id = e.fact_id
  WHERE e.group_key = ?1 AND e.expired_at = 4611686018427387904 AND e.created_at > ?2
)
SELECT DISTINCT t.text FROM terms AS t
WHERE t.id IN (SELECT subject FROM changed UNION SELECT object FROM changed)
  AND EXISTS (SELECT 1 FROM entities AS e WHERE e.entity = t.id)
ORDER BY t.text
