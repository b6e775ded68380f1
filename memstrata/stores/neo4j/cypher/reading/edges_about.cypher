// The latest facts of each entity, as believed now.
UNWIND $groups AS group
UNWIND $ids AS id
CALL (group, id) {
  CALL (group, id) {
    MATCH ()-[fact:RELATES_TO {group_id: group, source_node_uuid: id}]->() WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH ()-[fact:RELATES_TO {group_id: group, target_node_uuid: id, object_kind: 'entity'}]->() WHERE fact.name IS NOT NULL RETURN fact
  }
  WITH fact
  WHERE fact.valid_from <= $begun AND fact.valid_until > $lasting AND fact.valid_from < fact.valid_until
    AND ($relations IS NULL OR fact.name IN $relations)
    AND ($least_confidence IS NULL OR fact.confidence >= $least_confidence)
    AND ($sources IS NULL AND $speakers IS NULL OR EXISTS {
      UNWIND fact.evidence_in AS name
      MATCH (episode:Episodic {group_id: fact.group_id, uuid: name})
      WHERE ($sources IS NULL OR episode.source_description IN $sources)
          AND ($speakers IS NULL OR episode.speaker_id IN $speakers OR episode.speaker_name IN $speakers)
    })
    AND ($types IS NULL OR EXISTS {
      UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
      MATCH (entity:Entity {group_id: fact.group_id, uuid: end}) WHERE entity.type IN $types
    })
    AND ($properties IS NULL OR EXISTS {
      UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
      WITH end WHERE COUNT {
        UNWIND $properties AS property
        MATCH ()-[said:RELATES_TO {group_id: fact.group_id, source_node_uuid: end, name: property[0]}]->()
        WHERE said.target_node_uuid = property[1] AND said.object_kind = 'literal'
          AND said.valid_from <= $begun AND said.valid_until > $lasting AND said.valid_from < said.valid_until
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
