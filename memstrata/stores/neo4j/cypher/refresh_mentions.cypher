UNWIND $given.episodes AS id
MATCH (episode:Episodic {group_id: $given.group, uuid: id})
USING INDEX SEEK episode:Episodic(group_id, uuid)
CALL (episode) {
  MATCH (mention:Mention)
  USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
  WHERE mention.group_id = $given.group AND mention.episode_id = episode.uuid AND mention.mention_id IS NOT NULL
  MATCH (name:Name {group_id: $given.group, signature_id: mention.signature_id})
  USING INDEX SEEK name:Name(group_id, signature_id)
  MATCH (entity:Entity {group_id: $given.group, uuid: name.entity_id})
  USING INDEX SEEK entity:Entity(group_id, uuid)
  RETURN collect(DISTINCT entity) AS wanted
}
CALL (episode, wanted) {
  MATCH (episode)-[old:MENTIONS]->(other)
  WHERE NOT other IN wanted
  DELETE old
}
UNWIND wanted AS entity
MERGE (episode)-[mentions:MENTIONS]->(entity)
  ON CREATE SET mentions.uuid = episode.uuid + '>' + entity.uuid, mentions.group_id = $given.group,
    mentions.created_at = $given.instant
