SELECT e.id, g.group_id, entity.text, e.name, e.type, e.aliases
FROM carray(:some) AS found
CROSS JOIN entities AS e ON e.id = found.value
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS entity ON entity.id = e.entity
