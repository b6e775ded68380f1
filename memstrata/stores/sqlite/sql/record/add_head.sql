INSERT INTO heads
  (h, g, episode_id, n, revision, content_hash, day, saga, position, reference, retracted, withdrawn, awaiting, asked, dead)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, 0)
