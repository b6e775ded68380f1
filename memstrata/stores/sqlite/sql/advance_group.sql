UPDATE groups SET last_seq = ?2, last_instant = ?3 WHERE id = ?1
