INSERT INTO passages (id, group_key, subject, handle, place, since, embedded, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
