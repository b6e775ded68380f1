SELECT e.entity, e.name FROM carray(?1) AS wanted
CROSS JOIN entities AS e ON e.entity = wanted.value AND e.expired_at = 4611686018427387904
