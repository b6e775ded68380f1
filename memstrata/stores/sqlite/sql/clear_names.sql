DELETE FROM names WHERE group_key = ?1
