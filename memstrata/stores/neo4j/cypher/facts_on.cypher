UNWIND $keys AS key
CALL (key) {
  MATCH ()-[fact:RELATES_TO]->()
  USING INDEX SEEK fact:RELATES_TO(group_id, source_node_uuid, name)
  WHERE fact.group_id = $group AND fact.source_node_uuid = key[0] AND fact.name = key[1]
  RETURN fact {.uuid, .group_id, .source_node_uuid, .target_node_uuid, .object, .name, .fact, .valid_from, .valid_until,
    .valid_at_precision, .invalid_at_precision, .contested, .confidence, .object_kind, .evidence,
    .believed_from, .believed_until} AS fact
  UNION ALL
  MATCH (fact:FactVersion)
  USING INDEX SEEK fact:FactVersion(group_id, source_node_uuid, name)
  WHERE fact.group_id = $group AND fact.source_node_uuid = key[0] AND fact.name = key[1]
    AND fact.believed_until = $open
  RETURN fact {.uuid, .group_id, .source_node_uuid, .target_node_uuid, .object, .name, .fact, .valid_from, .valid_until,
    .valid_at_precision, .invalid_at_precision, .contested, .confidence, .object_kind, .evidence,
    .believed_from, .believed_until} AS fact
}
RETURN fact
