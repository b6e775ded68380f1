SELECT 1 FROM facts AS f WHERE f.fact_id = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2) AND f.expired_at = 4611686018427387904
