SELECT x.version, e.body, x.body
FROM json_each(:ids) AS j
JOIN heads AS t ON t.episode_id = j.value AND t.g = :g
JOIN episodes AS e ON e.n = t.n
JOIN extractions AS x ON x.x = t.extracted
WHERE t.awaiting = 0 AND t.dead = 0 AND t.retracted = 0
  AND t.extracted IS NOT NULL AND t.extracted IS NOT t.committed
ORDER BY t.n
