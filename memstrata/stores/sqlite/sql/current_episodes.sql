SELECT e.id, e.group_key, e.saga, e.position, e.reference_time, t.text FROM carray(?2) AS wanted
CROSS JOIN terms AS t ON t.group_key = ?1 AND t.text = CAST(wanted.value AS TEXT)
CROSS JOIN episodes AS e ON e.episode = t.id AND e.expired_at = 4611686018427387904
