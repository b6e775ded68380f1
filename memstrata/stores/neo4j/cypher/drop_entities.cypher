// An entity at which facts end stays as their end, with nothing of its own.
UNWIND $given.rows AS row
MATCH (entity:Entity {group_id: $given.group, uuid: row.id})
USING INDEX SEEK entity:Entity(group_id, uuid)
CALL (entity) {
  MATCH (entity)<-[mentions:MENTIONS]-()
  DELETE mentions
}
CALL (entity, row) {
  WITH entity, row WHERE EXISTS { (entity)-[:RELATES_TO]-() }
  REMOVE entity:Entity:$(row.labels)
  SET entity:Unnamed, entity = {group_id: $given.group, uuid: row.id}
}
CALL (entity, row) {
  WITH entity, row WHERE entity:Entity
  DETACH DELETE entity
}
