INSERT INTO facts (
  id, group_key, fact_id, subject, predicate, object, valid_at, invalid_at, created_at, expired_at,
  passage, contested, confidence, valid_at_precision, invalid_at_precision, object_kind, fact
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 4611686018427387904, ?, ?, ?, ?, ?, ?, ?)
