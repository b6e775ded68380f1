SELECT f.group_id, f.episode_id, f.revision, f.stage, f.reason, f.at, f.attempts
FROM failures AS f
JOIN groups AS o ON o.group_id = f.group_id
JOIN heads AS t ON t.episode_id = f.episode_id AND t.g = o.g AND t.revision = f.revision
WHERE f.dead = 1 AND t.dead = 1 AND (:group_id IS NULL OR f.group_id = :group_id)
ORDER BY f.at, f.group_id, f.episode_id, f.stage
