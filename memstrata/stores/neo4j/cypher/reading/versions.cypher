UNWIND $handles AS handle
CALL (handle) {
  MATCH ()-[fact:RELATES_TO {handle: handle}]->() RETURN fact
  UNION ALL
  MATCH (fact:FactVersion {handle: handle}) RETURN fact
}
CALL (fact) {
  OPTIONAL MATCH (now:Entity {group_id: fact.group_id, uuid: fact.source_node_uuid})
  CALL (fact) {
    OPTIONAL MATCH (ended:EntityVersion {group_id: fact.group_id, uuid: fact.source_node_uuid}) WHERE ended.believed_until > 0
    RETURN ended.name AS past ORDER BY ended.believed_until DESC LIMIT 1
  }
  RETURN coalesce(now.name, past) AS subject
}
CALL (fact) {
  OPTIONAL MATCH (now:Entity {group_id: fact.group_id, uuid: fact.target_node_uuid}) WHERE fact.object_kind = 'entity'
  CALL (fact) {
    OPTIONAL MATCH (ended:EntityVersion {group_id: fact.group_id, uuid: fact.target_node_uuid})
    WHERE ended.believed_until > 0 AND fact.object_kind = 'entity'
    RETURN ended.name AS past ORDER BY ended.believed_until DESC LIMIT 1
  }
  RETURN coalesce(now.name, past) AS object
}
RETURN collect({handle: handle, subject: subject, object: object, fact:
  fact {.uuid, .group_id, .source_node_uuid, .target_node_uuid, .object, .name, .fact, .valid_from, .valid_until,
    .valid_at_precision, .invalid_at_precision, .contested, .confidence, .object_kind, .evidence,
    .believed_from, .believed_until}}) AS found
