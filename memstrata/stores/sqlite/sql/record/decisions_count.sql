SELECT q.count, (SELECT body FROM decisions WHERE d = q.first) FROM (
  SELECT count(*) AS count, min(d) AS first FROM decisions INDEXED BY decisions_pending WHERE seq IS NULL
) AS q
