DELETE FROM name_entities WHERE name IN (SELECT id FROM names WHERE group_key = ?1)
