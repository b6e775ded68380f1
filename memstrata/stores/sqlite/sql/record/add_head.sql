INSERT INTO heads
  (h, g, episode_id, n, revision, content_hash, day, saga, position, reference, retracted, withdrawn, awaiting, dead)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
