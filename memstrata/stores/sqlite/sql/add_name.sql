INSERT INTO names (id, group_key, signature, entity, example, keys) VALUES (?, ?, ?, ?, ?, ?)
