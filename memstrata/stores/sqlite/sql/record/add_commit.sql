INSERT OR IGNORE INTO commits (g, seq, body) VALUES (?, ?, ?)
