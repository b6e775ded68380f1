SELECT text, id FROM terms WHERE group_key = ?1 AND text = ?2
