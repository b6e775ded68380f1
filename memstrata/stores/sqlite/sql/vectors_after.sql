SELECT v.id, v.passage, p.handle, v.vector FROM vectors AS v CROSS JOIN passages AS p ON p.id = v.passage
WHERE v.group_key = ?1 AND v.subject = ?2 AND v.id > ?3 ORDER BY v.id LIMIT ?4
