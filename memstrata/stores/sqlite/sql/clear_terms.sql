DELETE FROM terms WHERE group_key = ?1
