INSERT INTO failures (group_id, episode_id, stage, revision, attempts, reason, at)
VALUES (:group_id, :episode_id, :stage, :revision, 1, :reason, :at)
ON CONFLICT (group_id, episode_id, stage) DO UPDATE SET
  attempts = iif(revision = excluded.revision, attempts + 1, 1),
  revision = excluded.revision, reason = excluded.reason, at = excluded.at
RETURNING attempts
