SELECT g.group_id, entity.text, e.name, e.type, e.aliases
FROM groups AS g
CROSS JOIN carray(?2) AS wanted
CROSS JOIN terms AS entity ON entity.group_key = g.id AND entity.text = CAST(wanted.value AS TEXT)
CROSS JOIN entities AS e ON e.entity = entity.id AND e.expired_at = 4611686018427387904
WHERE g.group_id = ?1
