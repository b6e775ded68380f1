SELECT DISTINCT t.text FROM episodes AS e JOIN terms AS t ON t.id = e.source
WHERE e.group_key = ?1 AND e.expired_at >= 4611686018427387904 AND t.text <> ''
