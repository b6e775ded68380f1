INSERT INTO summaries (group_id, entity_id, created_at, input_hash, body, expired_at)
VALUES (?, ?, ?, ?, ?, 4611686018427387904) RETURNING id
