UNWIND $given.rows AS row
CALL (row) {
  MATCH (source:Entity {group_id: $given.group, uuid: row.source_node_uuid})
  USING INDEX SEEK source:Entity(group_id, uuid)
  RETURN source
  UNION ALL
  MATCH (source:Unnamed {group_id: $given.group, uuid: row.source_node_uuid})
  USING INDEX SEEK source:Unnamed(group_id, uuid)
  RETURN source
}
CALL (row) {
  MATCH (target:Entity {group_id: $given.group, uuid: row.target_node_uuid})
  USING INDEX SEEK target:Entity(group_id, uuid)
  RETURN target
  UNION ALL
  MATCH (target:Unnamed {group_id: $given.group, uuid: row.target_node_uuid})
  USING INDEX SEEK target:Unnamed(group_id, uuid)
  RETURN target
}
CREATE (source)-[fact:RELATES_TO]->(target)
SET fact = row
