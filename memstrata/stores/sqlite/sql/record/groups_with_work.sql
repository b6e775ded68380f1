SELECT group_id FROM groups AS o
WHERE EXISTS (
    SELECT 1 FROM heads INDEXED BY heads_pending
    WHERE g = o.g AND awaiting = 0 AND dead = 0 AND retracted = 0 AND extracted IS NOT NULL AND extracted IS NOT committed
  )
  OR EXISTS (SELECT 1 FROM decisions WHERE g = o.g AND seq IS NULL)
ORDER BY group_id
