CALL () {
  MATCH ()-[fact:RELATES_TO]->()
  WHERE fact.group_id = $group AND fact.uuid >= $id AND fact.believed_from IS NOT NULL
    AND (fact.uuid > $id OR fact.believed_from > $since)
  RETURN fact ORDER BY fact.group_id, fact.uuid LIMIT $limit
  UNION ALL
  MATCH (fact:FactVersion)
  USING INDEX fact:FactVersion(group_id, uuid, believed_until)
  WHERE fact.group_id = $group AND fact.uuid >= $id AND fact.believed_until IS NOT NULL
    AND (fact.uuid > $id OR fact.believed_from > $since)
  RETURN fact ORDER BY fact.group_id, fact.uuid, fact.believed_until LIMIT $limit
}
RETURN fact {.uuid, .group_id, .source_node_uuid, .target_node_uuid, .object, .name, .fact, .valid_from, .valid_until,
    .valid_at_precision, .invalid_at_precision, .contested, .confidence, .object_kind, .evidence,
    .believed_from, .believed_until} AS fact
