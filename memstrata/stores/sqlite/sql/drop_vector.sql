DELETE FROM vectors WHERE passage = ?1
