INSERT OR IGNORE INTO name_keys (group_key, key, name) VALUES (?, ?, ?)
