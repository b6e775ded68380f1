DELETE FROM replies WHERE r IN (
  SELECT t.r FROM json_each(:ids) AS j JOIN told_of AS t ON t.episode_id = j.value AND t.group_id = :group_id
)
RETURNING r
