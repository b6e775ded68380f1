DELETE FROM name_keys WHERE group_key = ?1 AND key = ?2 AND name = ?3
