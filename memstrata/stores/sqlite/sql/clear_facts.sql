DELETE FROM facts WHERE group_key = ?1
