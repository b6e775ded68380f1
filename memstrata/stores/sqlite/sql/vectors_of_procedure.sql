SELECT p.handle, v.vector FROM carray(?1) AS found
CROSS JOIN passages AS p ON p.subject = 'procedure' AND p.handle = found.value AND p.place = 0
CROSS JOIN vectors AS v ON v.passage = p.id
