INSERT INTO waiting (group_id, about) VALUES (?, ?)
ON CONFLICT (group_id, about) DO UPDATE SET tries = 0
