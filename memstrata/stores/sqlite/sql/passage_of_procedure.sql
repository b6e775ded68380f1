SELECT p.handle, p.id, p.group_key FROM passages AS p WHERE p.subject = 'procedure' AND p.handle = ?1 AND p.place >= 0
