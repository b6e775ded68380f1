SELECT count(*) FROM vectors WHERE group_key = ?1 AND subject = ?2
