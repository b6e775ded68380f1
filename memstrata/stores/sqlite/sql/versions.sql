SELECT f.id, g.group_id, fact_id.text, subject.text, predicate.text, object.text,
  f.valid_at, f.invalid_at, f.valid_at_precision, f.invalid_at_precision,
  f.contested, f.confidence, f.object_kind, f.fact, f.created_at, f.expired_at, f.fact_id
FROM facts AS f
JOIN groups AS g ON g.id = f.group_key
JOIN terms AS fact_id ON fact_id.id = f.fact_id
JOIN terms AS subject ON subject.id = f.subject
JOIN terms AS predicate ON predicate.id = f.predicate
JOIN terms AS object ON object.id = f.object
WHERE f.id = ?1
