SELECT g.group_id, assertion.text, episode.text, subject.text, predicate.text, object.text,
  p.recorded_at, p.retracted_at, p.subject_mention, p.object_mention, p.kind, p.reference_time,
  p.valid_at, p.valid_at_precision, p.invalid_at, p.invalid_at_precision,
  p.confidence, p.object_kind, p.fact, p.quote
FROM placements AS p
JOIN groups AS g ON g.id = p.group_key
JOIN terms AS assertion ON assertion.id = p.assertion
JOIN terms AS episode ON episode.id = p.episode
JOIN terms AS subject ON subject.id = p.subject
JOIN terms AS predicate ON predicate.id = p.predicate
JOIN terms AS object ON object.id = p.object
WHERE p.object = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2) AND p.predicate = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?3) AND p.retracted_at = 4611686018427387904
