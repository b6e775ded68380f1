SELECT e.body FROM json_each(:wanted) AS j
JOIN heads AS t ON t.episode_id = j.value ->> 0 AND t.g = :g
JOIN episodes AS e ON e.h = t.h AND e.revision = j.value ->> 1
