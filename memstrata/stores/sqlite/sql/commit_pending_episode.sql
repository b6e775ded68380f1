UPDATE episodes
SET revision = ?2, reference_time = ?3, created_at = ?4, expired_at = 4611686018427387904, record = ?5,
  source = ?6, speaker = ?7, speaker_name = ?8, saga = ?9, position = ?10, turn = ?11
WHERE id = ?1
