SELECT s.id, s.body FROM passages AS p JOIN procedures AS s ON s.id = p.handle
WHERE p.subject = 'procedure' AND p.embedded = 0 ORDER BY p.since, p.id LIMIT ?1
