SELECT x.body FROM json_each(:wanted) AS j
JOIN heads AS t ON t.episode_id = j.value ->> 0 AND t.g = :g
JOIN extractions AS x
  ON x.h = t.h AND x.revision = j.value ->> 1 AND x.context_hash = j.value ->> 2 AND x.version = j.value ->> 3
WHERE x.body IS NOT NULL
