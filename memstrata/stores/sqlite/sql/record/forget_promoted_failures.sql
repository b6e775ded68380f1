DELETE FROM failures WHERE (group_id, episode_id) IN (
  SELECT o.group_id, t.episode_id FROM promotions AS p
  JOIN heads AS t ON t.h = p.h JOIN groups AS o ON o.g = t.g
  WHERE p.d = :d
)
