DELETE FROM evidence WHERE group_key = ?1
