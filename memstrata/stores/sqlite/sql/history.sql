SELECT v.*
FROM terms AS t
CROSS JOIN facts AS f ON f.fact_id = t.id
CROSS JOIN fact_versions AS v ON v.id = f.id
WHERE t.group_key = ?1 AND t.text = ?2
ORDER BY v.created_at
