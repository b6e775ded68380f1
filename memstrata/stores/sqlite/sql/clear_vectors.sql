DELETE FROM vectors WHERE group_key = ?1
