SELECT id, last_seq, last_instant FROM groups WHERE group_id = ?
