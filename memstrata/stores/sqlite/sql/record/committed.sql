SELECT e.body, x.body FROM json_each(:ids) AS j
JOIN heads AS t ON t.episode_id = j.value AND t.g = :g
JOIN extractions AS x ON x.x = t.committed
JOIN episodes AS e ON e.h = t.h AND e.revision = x.revision
WHERE x.revision > t.withdrawn AND x.body IS NOT NULL
ORDER BY e.n
