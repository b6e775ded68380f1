INSERT OR IGNORE INTO groups (group_id) VALUES (?)
