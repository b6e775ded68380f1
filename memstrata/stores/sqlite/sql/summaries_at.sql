SELECT s.id, s.body FROM carray(?1) AS wanted CROSS JOIN summaries AS s ON s.id = wanted.value
