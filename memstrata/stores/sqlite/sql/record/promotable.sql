SELECT q.n, e.body, x.body FROM (
  SELECT t.n, t.extracted, (
    SELECT max(x.x) FROM extractions AS x
    WHERE x.h = t.h AND x.revision = t.revision AND x.version = :version
      AND x.seen = t.asked AND x.failed = 0 AND x.body IS NOT NULL
  ) AS ready
  FROM heads AS t INDEXED BY heads_by_group
  WHERE t.g = :g AND t.retracted = 0 AND t.n > :after AND t.day >= :since AND t.day < :until
) AS q
JOIN episodes AS e ON e.n = q.n JOIN extractions AS x ON x.x = q.ready
WHERE q.ready IS NOT q.extracted
ORDER BY q.n LIMIT :limit
