-- By the terms' own order, so that a page costs what it shows: the cross joins keep the planner to it.
SELECT g.group_id, fact_id.text, subject.text, predicate.text, object.text,
  f.valid_at, f.invalid_at, f.valid_at_precision, f.invalid_at_precision,
  f.contested, f.confidence, f.object_kind, f.fact, f.created_at, f.expired_at, f.fact_id
FROM terms AS fact_id
CROSS JOIN facts AS f ON f.fact_id = fact_id.id
JOIN groups AS g ON g.id = f.group_key
JOIN terms AS subject ON subject.id = f.subject
JOIN terms AS predicate ON predicate.id = f.predicate
JOIN terms AS object ON object.id = f.object
WHERE fact_id.group_key = ?1 AND fact_id.text >= ?2 AND (fact_id.text > ?2 OR f.created_at > ?3)
ORDER BY fact_id.text, f.expired_at
LIMIT ?4
