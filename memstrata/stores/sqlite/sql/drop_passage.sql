DELETE FROM passages WHERE id = ?1
