SELECT id FROM semantic_groups WHERE group_id = ?1
