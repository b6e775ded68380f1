SELECT id, group_id, body FROM procedures ORDER BY id
