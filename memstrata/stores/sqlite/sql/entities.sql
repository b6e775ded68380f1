SELECT g.group_id, entity.text, e.name, e.type, e.aliases
FROM entities AS e
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS entity ON entity.id = e.entity
WHERE e.entity = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2) AND e.expired_at = 4611686018427387904
