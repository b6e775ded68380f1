WITH about (id) AS (
  SELECT t.id FROM carray(:about) AS wanted
  CROSS JOIN terms AS t ON t.group_key = :group_key AND t.text = CAST(wanted.value AS TEXT)
), changed (id, instant) AS (
  SELECT DISTINCT f.id, iif(f.created_at > :after, f.created_at, f.expired_at)
  FROM (
    SELECT f.id FROM about CROSS JOIN facts AS f ON f.subject = about.id
    UNION
    SELECT f.id FROM about CROSS JOIN facts AS f ON f.object = about.id AND f.object_kind = 'entity'
  ) AS c
  CROSS JOIN facts AS f ON f.id = c.id
  WHERE (f.created_at > :after AND f.created_at <= :until) OR (f.expired_at > :after AND f.expired_at <= :until)
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
