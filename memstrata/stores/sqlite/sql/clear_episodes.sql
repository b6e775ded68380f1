DELETE FROM episodes WHERE group_key = ?1
