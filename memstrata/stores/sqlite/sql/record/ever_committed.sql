SELECT t.episode_id FROM json_each(:ids) AS j
JOIN heads AS t ON t.episode_id = j.value AND t.g = :g
WHERE t.committed IS NOT NULL
