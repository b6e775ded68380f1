UPDATE entities SET expired_at = ?2 WHERE entity = ?1 AND expired_at = 4611686018427387904
