SELECT g.group_id, fact_id.text, subject.text, predicate.text, object.text,
  f.valid_at, f.invalid_at, f.valid_at_precision, f.invalid_at_precision,
  f.contested, f.confidence, f.object_kind, f.fact, (
    SELECT json_group_array(a.text) FROM evidence AS e JOIN terms AS a ON a.id = e.assertion
    WHERE e.fact_id = f.fact_id AND e.expired_at >= 4611686018427387904
  )
FROM groups AS g
CROSS JOIN terms AS predicate ON predicate.group_key = g.id AND predicate.text = ?3
CROSS JOIN carray(?2) AS wanted
CROSS JOIN terms AS subject ON subject.group_key = g.id AND subject.text = CAST(wanted.value AS TEXT)
CROSS JOIN facts AS f
  ON f.subject = subject.id AND f.predicate = predicate.id AND f.expired_at = 4611686018427387904
JOIN terms AS fact_id ON fact_id.id = f.fact_id
JOIN terms AS object ON object.id = f.object
WHERE g.group_id = ?1
