// One that is no later than an earlier one takes its place.
UNWIND $rows AS row
CALL (row) {
  MATCH (later:Summary {group_id: row.group_id, entity_id: row.entity_id})
  USING INDEX SEEK later:Summary(group_id, entity_id, believed_until)
  WHERE later.believed_until > row.believed_from AND later.believed_from >= row.believed_from
  DETACH DELETE later
}
CALL (row) {
  MATCH (before:Summary {group_id: row.group_id, entity_id: row.entity_id})
  USING INDEX SEEK before:Summary(group_id, entity_id, believed_until)
  WHERE before.believed_until > row.believed_from AND before.believed_from < row.believed_from
  SET before.believed_until = row.believed_from
}
CALL (row) {
  CREATE (summary:Summary) SET summary = row
}
CALL (row) {
  MATCH (entity:Entity {group_id: row.group_id, uuid: row.entity_id})
  USING INDEX SEEK entity:Entity(group_id, uuid)
  SET entity.summary = row.text
}
