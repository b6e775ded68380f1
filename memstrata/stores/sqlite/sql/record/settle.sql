UPDATE heads
SET awaiting = iif(awaiting = :seen, 0, awaiting),
  extracted = (
    SELECT x FROM extractions AS x
    WHERE x.h = heads.h AND x.revision = :revision AND x.context_hash = :context_hash AND x.version = :version
  )
WHERE h = :h AND revision = :revision AND retracted = 0
