INSERT INTO entities (id, group_key, entity, created_at, expired_at, passage, name, type, aliases)
VALUES (?, ?, ?, ?, 4611686018427387904, ?, ?, ?, ?)
