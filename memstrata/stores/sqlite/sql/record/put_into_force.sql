UPDATE heads SET extracted = p.after, awaiting = 0, dead = 0
FROM promotions AS p WHERE p.d = :d AND p.h = heads.h
