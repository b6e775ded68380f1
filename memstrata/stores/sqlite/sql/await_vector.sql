UPDATE passages SET embedded = 0, since = ?2 WHERE id = ?1
