INSERT OR IGNORE INTO promotions (d, h, before, after)
SELECT :d, q.h, q.extracted, q.ready FROM (
  SELECT t.h, t.extracted, (
    SELECT max(x.x) FROM extractions AS x
    WHERE x.h = t.h AND x.revision = t.revision AND x.version = :version
      AND x.seen = t.asked AND x.failed = 0 AND x.body IS NOT NULL
  ) AS ready
  FROM heads AS t INDEXED BY heads_by_group
  WHERE t.g = :g AND t.retracted = 0 AND t.day >= :since AND t.day < :until
) AS q
WHERE q.ready IS NOT NULL AND q.ready IS NOT q.extracted
