SELECT e.id, g.group_id, episode.text, e.revision, e.reference_time, e.content_hash, e.content, e.record
FROM episodes AS e
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS episode ON episode.id = e.episode
WHERE e.id = ?1
