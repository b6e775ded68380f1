INSERT OR IGNORE INTO sources (source) VALUES (?)
