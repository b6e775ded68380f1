SELECT count(*) FROM promotions AS p JOIN heads AS t ON t.h = p.h
WHERE p.d = (SELECT d FROM decisions WHERE decision_id = :decision_id AND g = :g)
  AND t.extracted = p.after AND t.retracted = 0
