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
SELECT f.id, g.group_id, fact_id.text, subject.text, predicate.text, object.text,
  f.valid_at, f.invalid_at, f.valid_at_precision, f.invalid_at_precision,
  f.contested, f.confidence, f.object_kind, f.fact, f.created_at, f.expired_at, (
    SELECT json_group_array(a.text) FROM evidence AS e JOIN terms AS a ON a.id = e.assertion
    WHERE e.fact_id = f.fact_id AND e.created_at < f.expired_at AND e.expired_at >= f.expired_at
  ),
  coalesce((SELECT e.name FROM entities AS e WHERE e.entity = f.subject ORDER BY e.expired_at DESC LIMIT 1), subject.text),
  CASE f.object_kind WHEN 'entity' THEN coalesce(
    (SELECT e.name FROM entities AS e WHERE e.entity = f.object ORDER BY e.expired_at DESC LIMIT 1), object.text
  ) ELSE object.text END
FROM first_of_them AS found
CROSS JOIN facts AS f ON f.id = found.id
JOIN groups AS g ON g.id = f.group_key
JOIN terms AS fact_id ON fact_id.id = f.fact_id
JOIN terms AS subject ON subject.id = f.subject
JOIN terms AS predicate ON predicate.id = f.predicate
JOIN terms AS object ON object.id = f.object
ORDER BY found.instant, fact_id.text, f.created_at
