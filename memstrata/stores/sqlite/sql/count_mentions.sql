UPDATE names SET mentions = mentions + ?2 WHERE id = ?1
