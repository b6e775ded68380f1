SELECT m.reference_time, m.mention, place.text FROM mentions AS m
JOIN terms AS place ON place.id = m.episode
WHERE m.name = ?1 AND m.episode NOT IN (SELECT value FROM carray(?2))
ORDER BY m.reference_time, m.mention LIMIT 1
