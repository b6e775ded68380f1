UPDATE facts SET expired_at = ?2
WHERE fact_id = ?1 AND expired_at = 4611686018427387904 RETURNING fact_id, passage, fact
