// A version that reads as the one before has its vector.
UNWIND $given.rows AS row
MATCH (before:FactVersion {handle: row.before})
USING INDEX SEEK before:FactVersion(handle)
WHERE before.fact_embedding IS NOT NULL
OPTIONAL MATCH ()-[fact:RELATES_TO {group_id: $given.group, uuid: row.id}]->()
  USING INDEX SEEK fact:RELATES_TO(group_id, uuid)
OPTIONAL MATCH (beside:FactVersion {group_id: $given.group, uuid: row.id, believed_until: $given.open})
USING INDEX SEEK beside:FactVersion(group_id, uuid, believed_until)
SET fact.fact_embedding = before.fact_embedding, beside.fact_embedding = before.fact_embedding
