SELECT e.id, g.group_id, entity.text, e.name, e.type, e.aliases
FROM entities AS e
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS entity ON entity.id = e.entity
WHERE e.id = ?1
