SELECT id, passage, vector FROM vectors WHERE group_key = ?1 AND subject = ?2 AND id > ?3 ORDER BY id LIMIT ?4
