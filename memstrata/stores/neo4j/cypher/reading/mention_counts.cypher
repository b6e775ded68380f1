UNWIND $ids AS id
OPTIONAL MATCH (entity:Entity {group_id: $group, uuid: id})
RETURN id, COUNT { (:Episodic)-[:MENTIONS]->(entity) } AS mentioned
