INSERT OR IGNORE INTO name_entities (entity, name) VALUES (?, ?)
