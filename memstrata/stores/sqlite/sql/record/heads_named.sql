SELECT t.h, t.g, o.group_id, t.revision, t.awaiting, e.day
FROM heads AS t JOIN groups AS o ON o.g = t.g JOIN episodes AS e ON e.h = t.h AND e.revision = :revision
WHERE t.episode_id = :episode_id
