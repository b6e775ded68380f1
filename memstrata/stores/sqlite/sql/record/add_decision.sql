INSERT OR IGNORE INTO decisions (g, decision_id, kind, day, body) VALUES (?, ?, ?, ?, ?)
