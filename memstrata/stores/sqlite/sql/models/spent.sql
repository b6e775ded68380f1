SELECT
  iif(:day, day, NULL) AS by_day,
  iif(:group_id, group_id, NULL) AS by_group,
  iif(:stage, stage, NULL) AS by_stage,
  iif(:version, version, NULL) AS by_version,
  iif(:model, model, NULL) AS by_model,
  iif(:episode_id, episode_id, NULL) AS by_episode,
  sum(calls), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(retries), sum(seconds), sum(failed)
FROM calls
WHERE day >= :since AND day < :until AND (:only IS NULL OR group_id = :only)
GROUP BY by_day, by_group, by_stage, by_version, by_model, by_episode
ORDER BY by_day, by_group, by_stage, by_version, by_model, by_episode
