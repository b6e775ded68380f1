CALL () {
  MATCH ()-[fact:RELATES_TO {group_id: $group}]->()
  WHERE fact.believed_from > $after AND fact.believed_from <= $until
  RETURN fact
  UNION ALL
  MATCH (fact:FactVersion {group_id: $group})
  WHERE fact.believed_until > $after
  RETURN fact
}
WITH fact, CASE
    WHEN fact.believed_from > $after AND fact.believed_from <= $until THEN fact.believed_from
    WHEN fact.believed_until <= $until THEN fact.believed_until
  END AS changed
WHERE changed IS NOT NULL AND ($about IS NULL OR fact.source_node_uuid IN $about
  OR fact.object_kind = 'entity' AND fact.target_node_uuid IN $about)
WITH fact, changed ORDER BY changed, fact.uuid, fact.believed_from LIMIT $limit
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
RETURN changed, subject, object,
  fact {.uuid, .group_id, .source_node_uuid, .target_node_uuid, .object, .name, .fact, .valid_from, .valid_until,
    .valid_at_precision, .invalid_at_precision, .contested, .confidence, .object_kind, .evidence,
    .believed_from, .believed_until} AS fact
ORDER BY changed, fact.uuid, fact.believed_from
