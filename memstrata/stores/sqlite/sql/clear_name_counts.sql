DELETE FROM name_counts WHERE name IN (SELECT id FROM names WHERE group_key = ?1)
