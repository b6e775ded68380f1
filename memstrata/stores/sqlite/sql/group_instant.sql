SELECT last_instant FROM groups WHERE id = ?1
