SELECT g.group_id, entity.text, e.name, e.type, e.aliases
FROM terms AS entity
CROSS JOIN entities AS e ON e.entity = entity.id AND e.expired_at = 4611686018427387904
JOIN groups AS g ON g.id = e.group_key
WHERE entity.group_key = ?1 AND entity.text > ?2
ORDER BY entity.text
LIMIT ?3
