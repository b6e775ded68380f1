UPDATE episodes SET expired_at = ?2 WHERE id = ?1
