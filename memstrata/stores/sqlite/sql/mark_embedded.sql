UPDATE passages SET embedded = 1 WHERE id = ?1
