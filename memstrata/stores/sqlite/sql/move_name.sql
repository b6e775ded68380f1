UPDATE names SET entity = ?2, example = ?3, keys = ?4 WHERE id = ?1
