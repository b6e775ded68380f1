-- What came next over a promotion that is taken back will give way to what had been in force before both.
UPDATE promotions SET before = p.before
FROM (SELECT h, min(d) AS d FROM promotions WHERE d > :d GROUP BY h) AS next
JOIN promotions AS p ON p.d = :d AND p.h = next.h
WHERE promotions.d = next.d AND promotions.h = next.h AND promotions.before = p.after
