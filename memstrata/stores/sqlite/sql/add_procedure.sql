INSERT INTO procedures (group_id, procedure_id, created_at, body, expired_at)
VALUES (?, ?, ?, ?, 4611686018427387904) RETURNING id
