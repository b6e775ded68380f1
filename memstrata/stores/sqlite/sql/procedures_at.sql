SELECT s.id, s.body FROM carray(?1) AS wanted CROSS JOIN procedures AS s ON s.id = wanted.value
