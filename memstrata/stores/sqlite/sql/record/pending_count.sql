SELECT q.count, (SELECT body FROM episodes WHERE n = q.first) FROM (
  SELECT count(*) AS count, min(n) AS first FROM heads INDEXED BY heads_pending
  WHERE awaiting = 0 AND dead = 0 AND retracted = 0 AND extracted IS NOT NULL AND extracted IS NOT committed
) AS q
