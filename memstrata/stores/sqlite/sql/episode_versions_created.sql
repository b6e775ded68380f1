SELECT x.id, NULL, x.reference_time, 4611686018427387904, x.created_at, x.expired_at FROM episodes AS x
WHERE x.group_key = ?1 AND x.created_at > ?2 AND x.expired_at = 4611686018427387904
UNION ALL
SELECT x.id, NULL, x.reference_time, 4611686018427387904, x.created_at, x.expired_at FROM episodes AS x
WHERE x.group_key = ?1 AND x.created_at > ?2 AND x.expired_at > ?2 AND x.expired_at < 4611686018427387904
ORDER BY 1
