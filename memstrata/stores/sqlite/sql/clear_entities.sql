DELETE FROM entities WHERE group_key = ?1
