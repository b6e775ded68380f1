SELECT t.id, t.text FROM carray(?1) AS wanted CROSS JOIN terms AS t ON t.id = wanted.value
