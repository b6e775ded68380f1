SELECT g.group_id, assertion.text, episode.text, subject.text, predicate.text, object.text,
  p.recorded_at, p.retracted_at, p.subject_mention, p.object_mention, p.kind, p.reference_time,
  p.valid_at, p.valid_at_precision, p.invalid_at, p.invalid_at_precision,
  p.confidence, p.object_kind, p.fact, p.quote
FROM groups AS g
CROSS JOIN terms AS predicate ON predicate.group_key = g.id AND predicate.text = ?3
CROSS JOIN carray(?2) AS wanted
CROSS JOIN terms AS object ON object.group_key = g.id AND object.text = CAST(wanted.value AS TEXT)
CROSS JOIN placements AS p
  ON p.object = object.id AND p.predicate = predicate.id AND p.retracted_at = 4611686018427387904
JOIN terms AS assertion ON assertion.id = p.assertion
JOIN terms AS episode ON episode.id = p.episode
JOIN terms AS subject ON subject.id = p.subject
WHERE g.group_id = ?1
