SELECT c.body FROM commits AS c
WHERE c.g = :g AND instr(c.body, CAST(:episode_id AS BLOB)) > 0
  AND EXISTS (
    SELECT 1 FROM json_each(c.body, '$.episodes') AS e WHERE e.value ->> 'episode_id' = :episode_id
  )
ORDER BY c.seq DESC LIMIT 1
