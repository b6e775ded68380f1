INSERT INTO semantic_groups (id, group_id) SELECT coalesce(min(id), 0) - 1, ?1 FROM semantic_groups RETURNING id
