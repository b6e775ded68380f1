SELECT ?2, e.name FROM entities AS e
WHERE e.entity = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2)
ORDER BY e.expired_at DESC LIMIT 1
