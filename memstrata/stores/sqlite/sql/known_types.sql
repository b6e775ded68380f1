SELECT DISTINCT e.type FROM entities AS e
WHERE e.group_key = ?1 AND e.expired_at = 4611686018427387904 AND e.type <> ''
