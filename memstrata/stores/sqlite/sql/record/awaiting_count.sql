SELECT q.count, (SELECT body FROM episodes WHERE n = q.first) FROM (
  SELECT count(*) AS count, min(n) AS first FROM heads INDEXED BY heads_awaiting WHERE awaiting > 0 AND dead = 0
) AS q
