UPDATE heads SET dead = 1
WHERE (episode_id, g, revision) IN (
  SELECT f.episode_id, o.g, f.revision FROM failures AS f JOIN groups AS o ON o.group_id = f.group_id WHERE f.dead = 1
)
