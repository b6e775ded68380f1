SELECT x.x FROM heads AS t JOIN extractions AS x ON x.h = t.h
WHERE t.episode_id = :episode_id AND t.g = :g AND x.revision = :revision
  AND x.context_hash = :context_hash AND x.version = :version AND x.body IS NOT NULL AND x.failed = 0
