SELECT
  coalesce(sum(ready IS NOT NULL AND ready IS NOT extracted), 0),
  coalesce(sum((ready IS NULL OR ready IS extracted) AND is_version), 0),
  coalesce(sum(ready IS NULL AND NOT is_version AND failed), 0),
  coalesce(sum(ready IS NULL AND NOT is_version AND NOT failed AND waits), 0),
  coalesce(sum(ready IS NULL AND NOT is_version AND NOT failed AND NOT waits), 0)
FROM (
  SELECT
    t.extracted, t.awaiting > 0 OR t.dead = 1 OR t.extracted IS NULL AS waits,
    EXISTS (SELECT 1 FROM extractions AS x WHERE x.x = t.extracted AND x.version = :version) AS is_version,
    (
      SELECT max(x.x) FROM extractions AS x
      WHERE x.h = t.h AND x.revision = t.revision AND x.version = :version
        AND x.seen = t.asked AND x.failed = 0 AND x.body IS NOT NULL
    ) AS ready,
    EXISTS (
      SELECT 1 FROM extractions AS x
      WHERE x.h = t.h AND x.revision = t.revision AND x.version = :version AND x.seen = t.asked AND x.failed = 1
    ) AS failed
  FROM heads AS t INDEXED BY heads_by_group
  WHERE t.g = :g AND t.retracted = 0 AND t.day >= :since AND t.day < :until
)
