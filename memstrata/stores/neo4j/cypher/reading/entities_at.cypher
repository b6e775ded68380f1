CYPHER replan=skip
UNWIND $asked.handles AS handle
CALL (handle) {
  MATCH (entity:Entity {handle: handle}) USING INDEX SEEK entity:Entity(handle) RETURN entity
  UNION ALL
  MATCH (entity:EntityVersion {handle: handle}) USING INDEX SEEK entity:EntityVersion(handle) RETURN entity
}
RETURN handle, entity {.group_id, .uuid, .name, .type, .aliases} AS entity
