MATCH (e:Episodic) WHERE e.group_id = $group
OPTIONAL MATCH (saga:Saga)-[:HAS_EPISODE]->(e)
RETURN e.uuid AS uuid, coalesce(e.name, '') AS name, coalesce(e.content, '') AS content, e.source AS source,
  coalesce(e.source_description, '') AS source_description, e.created_at AS created_at, e.valid_at AS valid_at,
  saga.name AS saga, [(e)-[:MENTIONS]->(n:Entity) | n.uuid] AS mentions
ORDER BY uuid
