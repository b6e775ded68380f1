-- What was in force before stands again where nothing newer has come; if that was nothing, or is not of the present
-- context, the episode awaits extraction.
UPDATE heads SET
  extracted = p.before,
  awaiting = iif(
    p.before IS NULL OR (SELECT seen FROM extractions WHERE x = p.before) <> heads.asked, heads.asked, heads.awaiting
  )
FROM promotions AS p
WHERE p.d = :d AND p.h = heads.h AND heads.extracted = p.after AND heads.retracted = 0
