SELECT e.id, g.group_id, episode.text, e.revision, e.reference_time, e.content_hash, e.content, e.record
FROM carray(:some) AS found
CROSS JOIN episodes AS e ON e.id = found.value
JOIN groups AS g ON g.id = e.group_key
JOIN terms AS episode ON episode.id = e.episode
