UNWIND $rows AS row
MERGE (entity:Entity {group_id: $group, uuid: row.id})
  ON CREATE SET entity.summary = ''
REMOVE entity:$(row.labels_gone)
SET entity:$(row.labels), entity += row.properties
