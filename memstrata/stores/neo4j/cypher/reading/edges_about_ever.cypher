// The latest facts of each entity, of an earlier belief, or ever believed.
UNWIND $groups AS group
UNWIND $ids AS id
CALL (group, id) {
  CALL (group, id) {
    MATCH ()-[fact:RELATES_TO {group_id: group, source_node_uuid: id}]->() WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH ()-[fact:RELATES_TO {group_id: group, target_node_uuid: id, object_kind: 'entity'}]->() WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH (fact:FactVersion {group_id: group, source_node_uuid: id}) WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH (fact:FactVersion {group_id: group, target_node_uuid: id, object_kind: 'entity'}) WHERE fact.name IS NOT NULL RETURN fact
  }
  WITH fact
  WHERE fact.believed_from <= $system AND fact.believed_until > $outlasting
    AND fact.valid_from <= $begun AND fact.valid_until > $lasting AND ($history OR fact.valid_from < fact.valid_until)
    AND ($relations IS NULL OR fact.name IN $relations)
    AND ($least_confidence IS NULL OR fact.confidence >= $least_confidence)
    AND ($sources IS NULL AND $speakers IS NULL OR EXISTS {
      UNWIND fact.evidence_in AS name
      CALL (name, fact) {
        MATCH (episode:Episodic {group_id: fact.group_id, uuid: name}) RETURN episode
        UNION ALL
        MATCH (episode:EpisodicVersion {group_id: fact.group_id, uuid: name}) WHERE episode.believed_until > $outlasting RETURN episode
      }
      WITH episode
      WHERE episode.believed_from <= $system AND episode.believed_until > $outlasting
        AND ($sources IS NULL OR episode.source_description IN $sources)
          AND ($speakers IS NULL OR episode.speaker_id IN $speakers OR episode.speaker_name IN $speakers)
      RETURN episode
    })
    AND ($types IS NULL OR EXISTS {
      UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
      CALL (end, fact) {
        MATCH (entity:Entity {group_id: fact.group_id, uuid: end}) RETURN entity
        UNION ALL
        MATCH (entity:EntityVersion {group_id: fact.group_id, uuid: end}) WHERE entity.believed_until > $outlasting RETURN entity
      }
      WITH entity WHERE entity.type IN $types AND entity.believed_from <= $system AND entity.believed_until > $outlasting
      RETURN entity
    })
    AND ($properties IS NULL OR EXISTS {
      UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
      WITH end WHERE COUNT {
        UNWIND $properties AS property
        CALL (property, fact, end) {
          MATCH ()-[said:RELATES_TO {group_id: fact.group_id, source_node_uuid: end, name: property[0]}]->() RETURN said
          UNION ALL
          MATCH (said:FactVersion {group_id: fact.group_id, source_node_uuid: end, name: property[0]}) RETURN said
        }
        WITH property, said
        WHERE said.target_node_uuid = property[1] AND said.object_kind = 'literal'
          AND said.believed_from <= $system AND said.believed_until > $outlasting
          AND said.valid_from <= $begun AND said.valid_until > $lasting AND ($history OR said.valid_from < said.valid_until)
        RETURN DISTINCT property
      } = size($properties)
      RETURN end
    })
  RETURN fact ORDER BY fact.valid_from DESC, fact.handle DESC LIMIT $limit
}
WITH DISTINCT fact
ORDER BY fact.valid_from DESC, fact.handle DESC
RETURN fact.handle AS handle, fact.group_id AS group, fact.source_node_uuid AS subject,
  coalesce(fact.object, fact.target_node_uuid) AS object, fact.object_kind = 'entity' AS leads_on, fact.valid_from AS valid_from
