UPDATE evidence SET expired_at = ?3
WHERE fact_id = ?1 AND expired_at = 4611686018427387904 AND assertion = ?2 RETURNING fact_id
