// Versions that read alike share a vector.
UNWIND $rows AS row
CALL (row) {
  MATCH ()-[fact:RELATES_TO]->() WHERE fact.passage = row.handle
  CALL db.create.setRelationshipVectorProperty(fact, 'fact_embedding', row.vector)
  SET fact.awaits = null
  RETURN count(*) AS written
  UNION ALL
  MATCH (fact:FactVersion {passage: row.handle})
  USING INDEX SEEK fact:FactVersion(passage)
  CALL db.create.setNodeVectorProperty(fact, 'fact_embedding', row.vector)
  SET fact.awaits = null
  RETURN count(*) AS written
}
RETURN sum(written) AS written
