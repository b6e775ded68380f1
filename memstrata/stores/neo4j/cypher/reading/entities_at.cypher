UNWIND $handles AS handle
CALL (handle) {
  MATCH (entity:Entity {handle: handle}) RETURN entity
  UNION ALL
  MATCH (entity:EntityVersion {handle: handle}) RETURN entity
}
RETURN handle, entity {.group_id, .uuid, .name, .type, .aliases} AS entity
