SELECT m.reference_time, m.mention FROM mentions AS m
WHERE m.name = ?1 AND m.episode NOT IN (SELECT value FROM carray(?2))
ORDER BY m.reference_time, m.mention LIMIT 1
