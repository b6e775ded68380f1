UPDATE heads SET n = ?2, revision = ?3, content_hash = ?4, day = ?5, saga = ?6, position = ?7, reference = ?8,
  retracted = ?9, withdrawn = ?10, awaiting = ?11, asked = ?11, dead = 0, extracted = NULL
WHERE h = ?1
