SELECT x.id, x.expired_at FROM entities AS x
WHERE x.group_key = ?1 AND x.expired_at > ?2 AND x.expired_at < 4611686018427387904
