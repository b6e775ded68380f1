INSERT INTO passages (id, group_key, subject, handle) VALUES (?, ?, ?, ?)
