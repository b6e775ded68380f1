SELECT p.id, p.id, p.group_key FROM passages AS p WHERE p.id = ?1 AND p.subject = 'episode' AND p.embedded < 2
