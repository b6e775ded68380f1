INSERT INTO terms (id, group_key, text) VALUES (?, ?, ?)
