SELECT t.episode_id, e.revision, t.h, o.group_id, t.awaiting, t.asked, e.day
FROM json_each(:wanted) AS j
JOIN heads AS t ON t.episode_id = j.value ->> 0
JOIN episodes AS e ON e.h = t.h AND e.revision = j.value ->> 1
JOIN groups AS o ON o.g = t.g
