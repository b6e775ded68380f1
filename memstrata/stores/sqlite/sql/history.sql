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
FROM facts AS f
JOIN groups AS g ON g.id = f.group_key
JOIN terms AS fact_id ON fact_id.id = f.fact_id
JOIN terms AS subject ON subject.id = f.subject
JOIN terms AS predicate ON predicate.id = f.predicate
JOIN terms AS object ON object.id = f.object
WHERE f.fact_id = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2)
ORDER BY f.created_at
