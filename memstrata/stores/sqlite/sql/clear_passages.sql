DELETE FROM passages WHERE group_key = ?1
