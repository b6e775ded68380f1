SELECT e.body, x.body
FROM json_each(:ids) AS asked JOIN heads AS t ON t.episode_id = asked.value AND t.g = :g
JOIN extractions AS x ON x.x = t.extracted JOIN episodes AS e ON e.n = t.n
WHERE t.retracted = 0 AND x.body IS NOT NULL
