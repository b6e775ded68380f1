// Versions that read alike share a vector.
UNWIND $rows AS row
CALL (row) {
  MATCH (entity:Entity {passage: row.handle})
  USING INDEX SEEK entity:Entity(passage)
  CALL db.create.setNodeVectorProperty(entity, 'name_embedding', row.vector)
  SET entity.awaits = null
  RETURN count(*) AS written
  UNION ALL
  MATCH (entity:EntityVersion {passage: row.handle})
  USING INDEX SEEK entity:EntityVersion(passage)
  CALL db.create.setNodeVectorProperty(entity, 'name_embedding', row.vector)
  SET entity.awaits = null
  RETURN count(*) AS written
}
RETURN sum(written) AS written
