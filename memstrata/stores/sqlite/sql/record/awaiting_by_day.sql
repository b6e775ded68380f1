SELECT t.h, t.awaiting, e.body,
  EXISTS (SELECT 1 FROM extractions AS x WHERE x.h = t.h AND x.revision = t.revision AND x.body IS NOT NULL)
FROM heads AS t INDEXED BY heads_awaiting_by_day JOIN episodes AS e ON e.n = t.n
WHERE t.awaiting > 0 AND t.dead = 0 AND t.g NOT IN (SELECT value FROM json_each(:but)) AND t.day = :day ORDER BY t.n LIMIT :limit
