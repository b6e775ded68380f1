SELECT e.episode, e.id, e.revision, e.content_hash, e.record, e.expired_at
FROM carray(?1) AS wanted
CROSS JOIN episodes AS e ON e.episode = wanted.value AND e.expired_at >= 4611686018427387904
