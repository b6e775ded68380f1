CALL () {
  MATCH ()-[fact:RELATES_TO]->()
  WHERE fact.group_id = $group AND fact.evidence_changed > $since
  RETURN fact.source_node_uuid AS source, fact.target_node_uuid AS target
  UNION
  MATCH (fact:FactVersion)
  WHERE fact.group_id = $group AND fact.believed_until > $since
    AND (fact.believed_until < $open OR fact.evidence_changed > $since)
  RETURN fact.source_node_uuid AS source, fact.target_node_uuid AS target
}
UNWIND [source, target] AS id
WITH DISTINCT id
WHERE EXISTS { MATCH (:Entity {group_id: $group, uuid: id}) }
  OR EXISTS {
    MATCH (old:EntityVersion {group_id: $group, uuid: id})
    USING INDEX SEEK old:EntityVersion(group_id, uuid, believed_until)
    WHERE old.believed_until IS NOT NULL
  }
RETURN id
