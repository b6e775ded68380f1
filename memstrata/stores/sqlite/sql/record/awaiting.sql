SELECT t.h, t.awaiting, e.body FROM heads AS t INDEXED BY heads_awaiting JOIN episodes AS e ON e.n = t.n
WHERE t.awaiting > 0 AND t.dead = 0 ORDER BY t.n LIMIT :limit
