SELECT x.version, e.body, x.body
FROM heads AS t INDEXED BY heads_pending_by_day
JOIN episodes AS e ON e.n = t.n JOIN extractions AS x ON x.x = t.extracted
WHERE t.g = :g AND t.day = :day AND t.awaiting = 0 AND t.dead = 0 AND t.retracted = 0
  AND t.extracted IS NOT NULL AND t.extracted IS NOT t.committed
ORDER BY t.n LIMIT :limit
