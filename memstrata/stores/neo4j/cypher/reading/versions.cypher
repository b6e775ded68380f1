CYPHER replan=skip
// What names the ends where an entity stands; of one that is gone `names_of` is asked.
UNWIND $asked.handles AS handle
CALL (handle) {
  MATCH (subject)-[fact:RELATES_TO {handle: handle}]->(object) USING INDEX SEEK fact:RELATES_TO(handle)
  RETURN fact, subject, object
  UNION ALL
  MATCH (fact:FactVersion {handle: handle}) USING INDEX SEEK fact:FactVersion(handle)
  OPTIONAL MATCH (subject:Entity {group_id: fact.group_id, uuid: fact.source_node_uuid}) USING INDEX SEEK subject:Entity(group_id, uuid)
  OPTIONAL MATCH (object:Entity {group_id: fact.group_id, uuid: fact.target_node_uuid}) USING INDEX SEEK object:Entity(group_id, uuid)
  RETURN fact, subject, object
}
RETURN collect({handle: handle, subject: subject.name, object: CASE fact.object_kind WHEN 'entity' THEN object.name END, fact:
  fact {.uuid, .group_id, .source_node_uuid, .target_node_uuid, .object, .name, .fact, .valid_from, .valid_until,
    .valid_at_precision, .invalid_at_precision, .contested, .confidence, .object_kind, .evidence,
    .believed_from, .believed_until}}) AS found
