UNWIND $rows AS row
MATCH (episode:Episodic {group_id: $group, uuid: row.episode})
MERGE (saga:Saga {group_id: $group, uuid: row.saga_uuid})
  ON CREATE SET saga.name = row.saga, saga.created_at = $instant, saga.summary = ''
CREATE (saga)-[:HAS_EPISODE {
  uuid: row.saga_uuid + '/' + row.episode, group_id: $group, created_at: $instant
}]->(episode)
