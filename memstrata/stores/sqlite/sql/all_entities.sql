SELECT g.group_id, entity.text, e.name, e.type, e.aliases
FROM entities AS e
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS entity ON entity.id = e.entity
WHERE e.group_key = ?1 AND e.expired_at = 4611686018427387904
ORDER BY entity.text
