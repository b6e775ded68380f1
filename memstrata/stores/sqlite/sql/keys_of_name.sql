SELECT n.id, n.keys FROM carray(?1) AS wanted CROSS JOIN names AS n ON n.id = wanted.value
