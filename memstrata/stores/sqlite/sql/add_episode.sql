INSERT INTO episodes (
  id, group_key, episode, revision, reference_time, created_at, expired_at, content_hash, content, record,
  source, speaker, speaker_name, saga, position, turn
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
