INSERT INTO groups (group_id, last_instant) VALUES (?, ?) RETURNING id, last_seq, last_instant
