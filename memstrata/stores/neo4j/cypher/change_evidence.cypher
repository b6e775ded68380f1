UNWIND $given.rows AS row
OPTIONAL MATCH ()-[fact:RELATES_TO {group_id: $given.group, uuid: row.id}]->()
  USING INDEX SEEK fact:RELATES_TO(group_id, uuid)
OPTIONAL MATCH (beside:FactVersion {group_id: $given.group, uuid: row.id, believed_until: $given.open})
USING INDEX SEEK beside:FactVersion(group_id, uuid, believed_until)
SET fact += row.properties, beside += row.properties
