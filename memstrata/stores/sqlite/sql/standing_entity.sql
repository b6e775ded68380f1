SELECT e.entity, e.id, e.passage, e.name, e.type, e.aliases FROM carray(?1) AS wanted
CROSS JOIN entities AS e ON e.entity = wanted.value AND e.expired_at = 4611686018427387904
