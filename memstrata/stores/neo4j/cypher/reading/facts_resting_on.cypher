// The current facts with one of those assertions as evidence: where the assertions are placed now, and in their episodes.
UNWIND $evidence AS id
MATCH (placed:Placement {group_id: $group, id: id})
CALL (placed) {
  MATCH ()-[fact:RELATES_TO {group_id: $group, source_node_uuid: placed.subject, name: placed.predicate}]->() RETURN fact
  UNION ALL
  MATCH (fact:FactVersion {group_id: $group, source_node_uuid: placed.subject, name: placed.predicate})
  WHERE fact.believed_until >= $open
  RETURN fact
  UNION ALL
  MATCH (episode:Episodic {group_id: $group, uuid: placed.episode_id})
  UNWIND episode.entity_edges AS edge
  MATCH ()-[fact:RELATES_TO {group_id: $group, uuid: edge}]->() RETURN fact
}
WITH id, fact WHERE id IN fact.evidence
RETURN DISTINCT fact.uuid AS id
