SELECT e.id, e.name FROM passages AS p JOIN entities AS e ON e.id = p.handle
WHERE p.subject = 'entity' AND NOT p.embedded ORDER BY p.id LIMIT ?1
