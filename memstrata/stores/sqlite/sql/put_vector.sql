INSERT OR REPLACE INTO vectors (group_key, passage, subject, engine, vector) VALUES (?, ?, ?, ?, ?)
