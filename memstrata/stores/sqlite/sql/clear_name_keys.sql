DELETE FROM name_keys WHERE group_key = ?1
