SELECT t.n, t.h, t.asked, e.body
FROM heads AS t INDEXED BY heads_by_group CROSS JOIN episodes AS e ON e.n = t.n
WHERE t.g = :g AND t.retracted = 0 AND t.n > :after AND t.day >= :since AND t.day < :until
  AND NOT EXISTS (
    SELECT 1 FROM extractions AS x
    WHERE x.h = t.h AND x.revision = t.revision AND x.version = :version
      AND x.seen = t.asked AND x.failed = 0 AND x.body IS NOT NULL
  )
ORDER BY t.n LIMIT :limit
