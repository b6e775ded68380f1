SELECT e.id, e.name FROM passages AS p JOIN entities AS e ON e.id = p.handle
WHERE p.subject = 'entity' AND p.embedded = 0 ORDER BY p.since, p.id LIMIT ?1
