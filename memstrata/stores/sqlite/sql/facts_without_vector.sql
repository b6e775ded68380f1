SELECT f.id, f.fact FROM passages AS p JOIN facts AS f ON f.id = p.handle
WHERE p.subject = 'fact' AND p.embedded = 0 ORDER BY p.since, p.id LIMIT ?1
