SELECT id, last_instant FROM groups
