INSERT INTO placements (
  group_key, assertion, episode, subject, predicate, object, recorded_at, retracted_at,
  subject_mention, object_mention, kind, reference_time, valid_at, valid_at_precision,
  invalid_at, invalid_at_precision, confidence, object_kind, fact, quote
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
