INSERT INTO told_of (group_id, episode_id, r) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
