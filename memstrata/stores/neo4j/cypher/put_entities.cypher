// What stood is copied beside; an end of facts without a name becomes the entity. One that comes (again) shows
// the summary that consolidation had made of it.
UNWIND $given.rows AS row
CALL (row) {
  WITH row WHERE row.stands
  MATCH (before:Entity {group_id: $given.group, uuid: row.id})
  USING INDEX SEEK before:Entity(group_id, uuid)
  CREATE (version:EntityVersion)
  SET version = properties(before), version.believed_until = $given.now
}
CALL (row) {
  WITH row WHERE NOT row.stands
  MATCH (unnamed:Unnamed {group_id: $given.group, uuid: row.id})
  USING INDEX SEEK unnamed:Unnamed(group_id, uuid)
  REMOVE unnamed:Unnamed
  SET unnamed:Entity
}
MERGE (entity:Entity {group_id: $given.group, uuid: row.id})
  ON CREATE SET entity.summary = ''
REMOVE entity:$(row.labels_gone)
SET entity:$(row.labels), entity += row.properties, entity.created_at = $given.instant
WITH row, entity
CALL (row, entity) {
  WITH row, entity WHERE NOT row.stands
  MATCH (summary:Summary {group_id: $given.group, entity_id: row.id, believed_until: $given.open})
  USING INDEX SEEK summary:Summary(group_id, entity_id, believed_until)
  SET entity.summary = summary.text
}
