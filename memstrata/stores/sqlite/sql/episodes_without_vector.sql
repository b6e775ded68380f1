SELECT e.id, g.group_id, episode.text, e.revision, e.reference_time, e.content_hash, e.content, e.record
FROM passages AS p
JOIN episodes AS e ON e.id = p.handle
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS episode ON episode.id = e.episode
WHERE p.subject = 'episode' AND NOT p.embedded ORDER BY p.id LIMIT ?1
