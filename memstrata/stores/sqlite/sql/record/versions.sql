SELECT
  x.version, count(DISTINCT iif(x.failed, NULL, t.h)), count(DISTINCT iif(x.x = t.extracted, t.h, NULL)),
  count(DISTINCT iif(x.x = t.committed, t.h, NULL)), count(DISTINCT iif(x.failed, t.h, NULL)),
  min(t.day), max(t.day)
FROM heads AS t INDEXED BY heads_by_group
JOIN extractions AS x ON x.h = t.h AND x.revision = t.revision
WHERE t.g = :g AND t.retracted = 0 AND x.body IS NOT NULL
GROUP BY x.version ORDER BY max(x.x)
