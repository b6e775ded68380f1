SELECT max(f.expired_at), f.fact_id FROM facts AS f WHERE f.fact_id = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2) HAVING f.fact_id IS NOT NULL
