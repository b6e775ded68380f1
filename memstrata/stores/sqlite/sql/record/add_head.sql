INSERT INTO heads (h, g, episode_id, n, revision, content_hash, day, saga, position, reference, retracted, awaiting, dead)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
