SELECT id, passage, group_key FROM episodes WHERE id = ?1 AND passage IS NOT NULL
