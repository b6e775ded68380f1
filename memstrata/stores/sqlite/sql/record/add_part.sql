INSERT INTO parts (path, number) VALUES (?, ?)
