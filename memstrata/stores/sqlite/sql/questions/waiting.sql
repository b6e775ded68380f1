SELECT about, tries FROM waiting WHERE group_id = ? AND tries < ? ORDER BY tries, q LIMIT ?
