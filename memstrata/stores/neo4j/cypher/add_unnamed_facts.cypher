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
SET fact = row {
  .*, created_at: $given.instant,
  valid_at: CASE WHEN row.valid_at IS NULL THEN null ELSE datetime.fromEpoch(row.valid_at[0], row.valid_at[1]) END,
  invalid_at: CASE WHEN row.invalid_at IS NULL THEN null ELSE datetime.fromEpoch(row.invalid_at[0], row.invalid_at[1]) END
}
