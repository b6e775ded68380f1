SELECT t.h, t.awaiting, e.body,
  EXISTS (SELECT 1 FROM extractions AS x WHERE x.h = t.h AND x.revision = t.revision AND x.body IS NOT NULL)
FROM json_each(:ids) AS j
JOIN heads AS t ON t.episode_id = j.value AND t.g = :g
JOIN episodes AS e ON e.n = t.n
WHERE t.awaiting > 0 AND t.dead = 0 ORDER BY t.n
