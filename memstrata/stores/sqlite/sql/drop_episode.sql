DELETE FROM episodes WHERE id = ?1
