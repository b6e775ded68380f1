UNWIND $handles AS handle
CALL (handle) {
  MATCH (entity:Entity {handle: handle}) RETURN entity.name_embedding AS vector
  UNION ALL
  MATCH (entity:EntityVersion {handle: handle}) RETURN entity.name_embedding AS vector
}
WITH handle, vector WHERE vector IS NOT NULL
RETURN handle, vector
