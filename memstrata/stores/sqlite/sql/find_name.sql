SELECT signature, id, keys FROM names WHERE group_key = ?1 AND signature = ?2
