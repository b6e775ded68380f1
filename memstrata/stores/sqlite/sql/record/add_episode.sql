INSERT INTO episodes (n, h, revision, day, body) VALUES (?, ?, ?, ?, ?)
