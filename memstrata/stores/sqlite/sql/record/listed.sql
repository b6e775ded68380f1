SELECT t.n, e.body FROM episodes AS e CROSS JOIN heads AS t
WHERE t.n = e.n AND t.h = e.h AND t.g = :g AND t.retracted = 0 AND e.n < :before ORDER BY e.n DESC LIMIT :limit
