SELECT t.n, e.body, x.body
FROM extractions AS x INDEXED BY extractions_holding
JOIN heads AS t ON t.h = x.h AND t.extracted = x.x
JOIN episodes AS e ON e.n = t.n
WHERE instr(x.body, CAST('"held":[{' AS BLOB)) > 0 AND t.g = :g AND t.retracted = 0 AND t.n > :after
ORDER BY t.n LIMIT :limit
