UPDATE episodes
SET revision = ?2, reference_time = ?3, created_at = ?4, expired_at = 4611686018427387904, passage = ?5, record = ?6
WHERE id = ?1
