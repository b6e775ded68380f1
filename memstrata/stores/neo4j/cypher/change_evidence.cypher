UNWIND $rows AS row
OPTIONAL MATCH ()-[fact:RELATES_TO {group_id: $group, uuid: row.id}]->()
  USING INDEX SEEK fact:RELATES_TO(group_id, uuid)
OPTIONAL MATCH (beside:FactVersion {group_id: $group, uuid: row.id, believed_until: $open})
SET fact += row.properties, beside += row.properties
