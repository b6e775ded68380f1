DELETE FROM failures
WHERE dead = 0 AND (group_id, episode_id) = (
  SELECT o.group_id, t.episode_id FROM heads AS t JOIN groups AS o ON o.g = t.g WHERE t.h = :h
)
