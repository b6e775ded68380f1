UPDATE evidence SET expired_at = ?2 WHERE fact_id = ?1 AND expired_at = 4611686018427387904
