SELECT t.n, e.body FROM heads AS t INDEXED BY heads_by_group CROSS JOIN episodes AS e ON e.n = t.n
WHERE t.g = :g AND t.retracted = 0 AND t.n < :before ORDER BY t.n DESC LIMIT :limit
