UPDATE heads
SET committed = (
  SELECT x FROM extractions AS x
  WHERE x.h = heads.h AND x.revision = :revision AND x.context_hash = :context_hash AND x.version = :version
)
WHERE episode_id = :episode_id AND g = :g
