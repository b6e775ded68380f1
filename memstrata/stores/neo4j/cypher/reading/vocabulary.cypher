// Everything that filters can name in those groups now: (kind, value), each once.
CALL () {
  MATCH (entity:Entity) WHERE entity.group_id IN $groups
  RETURN DISTINCT 'type' AS kind, entity.type AS value
  UNION
  MATCH ()-[fact:RELATES_TO]->() WHERE fact.group_id IN $groups
  RETURN DISTINCT 'relation' AS kind, fact.name AS value
  UNION
  MATCH (fact:FactVersion) WHERE fact.group_id IN $groups AND fact.believed_until >= $open
  RETURN DISTINCT 'relation' AS kind, fact.name AS value
  UNION
  MATCH ()-[fact:RELATES_TO]->() WHERE fact.group_id IN $groups AND fact.object_kind = 'literal'
  RETURN DISTINCT 'property' AS kind, fact.name AS value
  UNION
  MATCH (fact:FactVersion) WHERE fact.group_id IN $groups AND fact.believed_until >= $open AND fact.object_kind = 'literal'
  RETURN DISTINCT 'property' AS kind, fact.name AS value
  UNION
  MATCH (episode:Episodic|PendingEpisode) WHERE episode.group_id IN $groups
  RETURN DISTINCT 'source' AS kind, episode.source_description AS value
  UNION
  MATCH (episode:Episodic|PendingEpisode) WHERE episode.group_id IN $groups
  UNWIND [episode.speaker_id, episode.speaker_name] AS called
  RETURN DISTINCT 'speaker' AS kind, called AS value
  UNION
  MATCH (episode:Episodic|PendingEpisode) WHERE episode.group_id IN $groups
  UNWIND episode.metadata AS pair
  RETURN DISTINCT 'property' AS kind, split(pair, '=')[0] AS value
}
WITH kind, value WHERE value IS NOT NULL AND value <> ''
RETURN kind, collect(value) AS found
