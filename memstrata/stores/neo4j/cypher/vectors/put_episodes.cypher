UNWIND $rows AS row
CALL (row) {
  MATCH (passage:Passage {passage: row.handle})
  USING INDEX SEEK passage:Passage(passage)
  CALL db.create.setNodeVectorProperty(passage, 'embedding', row.vector)
  SET passage.awaits = null
  RETURN count(*) AS written
  UNION ALL
  MATCH (passage:PassageVersion {passage: row.handle})
  USING INDEX SEEK passage:PassageVersion(passage)
  CALL db.create.setNodeVectorProperty(passage, 'embedding', row.vector)
  SET passage.awaits = null
  RETURN count(*) AS written
}
RETURN sum(written) AS written
