INSERT INTO looked (group_id, seq) VALUES (?, ?)
ON CONFLICT (group_id) DO UPDATE SET seq = excluded.seq
