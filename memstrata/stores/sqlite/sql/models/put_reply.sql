INSERT INTO replies (key, body) VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET body = excluded.body
RETURNING r
