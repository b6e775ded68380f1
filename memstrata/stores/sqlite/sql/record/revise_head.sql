UPDATE heads SET n = ?2, revision = ?3, content_hash = ?4, day = ?5, saga = ?6, position = ?7, reference = ?8,
  retracted = ?9, awaiting = ?10, dead = 0, extracted = NULL
WHERE h = ?1
