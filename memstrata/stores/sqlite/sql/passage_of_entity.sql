SELECT id, passage, group_key FROM entities WHERE id = ?1 AND passage IS NOT NULL
