// By the names that stand for it where no entity does.
UNWIND $ids AS id
OPTIONAL MATCH (entity:Entity {group_id: $group, uuid: id})
RETURN id, COUNT { (:Episodic)-[:MENTIONS]->(entity) } + COUNT {
    MATCH (name:Name {group_id: $group, entity_id: id}) WHERE entity IS NULL
    MATCH (mention:Mention {group_id: $group, signature_id: name.signature_id})
    WHERE mention.reference_time IS NOT NULL AND mention.mention_id IS NOT NULL
    RETURN DISTINCT mention.episode_id
  } AS mentioned
