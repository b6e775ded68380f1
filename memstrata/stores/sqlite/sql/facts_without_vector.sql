SELECT f.id, f.fact FROM passages AS p JOIN facts AS f ON f.id = p.handle
WHERE p.subject = 'fact' AND NOT p.embedded ORDER BY p.id LIMIT ?1
