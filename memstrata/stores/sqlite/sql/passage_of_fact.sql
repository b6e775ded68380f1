SELECT id, passage, group_key FROM facts WHERE id = ?1 AND passage IS NOT NULL
