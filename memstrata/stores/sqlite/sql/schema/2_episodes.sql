SELECT e.id, e.expired_at, g.group_id, t.text, e.revision, e.reference_time, e.content_hash, e.content, e.record
FROM episodes AS e
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS t ON t.id = e.episode
WHERE e.group_key = ?1
ORDER BY e.id
