SELECT g FROM groups WHERE group_id = ?
