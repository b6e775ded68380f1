WITH changed (id, instant) AS (
  SELECT c.id, min(c.instant) FROM (
    SELECT f.id, f.created_at AS instant FROM facts AS f
    WHERE f.group_key = :group_key AND f.expired_at = 4611686018427387904
      AND f.created_at > :after AND f.created_at <= :until
    UNION ALL
    SELECT f.id, f.created_at FROM facts AS f
    WHERE f.group_key = :group_key AND f.expired_at > :after AND f.expired_at < 4611686018427387904
      AND f.created_at > :after AND f.created_at <= :until
    UNION ALL
    SELECT f.id, f.expired_at FROM facts AS f
    WHERE f.group_key = :group_key AND f.expired_at > :after AND f.expired_at <= :until
  ) AS c
  GROUP BY c.id
), first_of_them (id, instant) AS (
  SELECT c.id, c.instant FROM changed AS c
  JOIN facts AS f ON f.id = c.id
  JOIN terms AS t ON t.id = f.fact_id
  ORDER BY c.instant, t.text, f.created_at LIMIT :limit
)
SELECT v.*
FROM first_of_them AS found
CROSS JOIN fact_versions AS v ON v.id = found.id
ORDER BY found.instant, v.fact_id, v.created_at
