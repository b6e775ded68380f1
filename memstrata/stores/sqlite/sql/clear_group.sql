DELETE FROM groups WHERE id = ?1
