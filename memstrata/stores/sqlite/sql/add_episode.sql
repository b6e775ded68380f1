INSERT INTO episodes (
  id, group_key, episode, revision, reference_time, created_at, expired_at, passage, content_hash, content, record
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
