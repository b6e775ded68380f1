UNWIND $given.rows AS row
MATCH (episode:Episodic {group_id: $given.group, uuid: row.episode})
USING INDEX SEEK episode:Episodic(group_id, uuid)
MERGE (saga:Saga {group_id: $given.group, uuid: row.saga_uuid})
  ON CREATE SET saga.name = row.saga, saga.created_at = $given.instant, saga.summary = ''
CREATE (saga)-[:HAS_EPISODE {
  uuid: row.saga_uuid + '/' + row.episode, group_id: $given.group, created_at: $given.instant
}]->(episode)
