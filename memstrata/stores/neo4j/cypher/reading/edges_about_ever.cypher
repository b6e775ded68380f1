CYPHER replan=skip
// The latest facts of each entity, of an earlier belief, or ever believed.
UNWIND $asked.groups AS group
UNWIND $asked.ids AS id
CALL (group, id) {
  CALL (group, id) {
    MATCH ()-[fact:RELATES_TO {group_id: group, source_node_uuid: id}]->() USING INDEX SEEK fact:RELATES_TO(group_id, source_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH ()-[fact:RELATES_TO {group_id: group, target_node_uuid: id, object_kind: 'entity'}]->() USING INDEX SEEK fact:RELATES_TO(group_id, target_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH (fact:FactVersion {group_id: group, source_node_uuid: id}) USING INDEX SEEK fact:FactVersion(group_id, source_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
    UNION
    MATCH (fact:FactVersion {group_id: group, target_node_uuid: id, object_kind: 'entity'}) USING INDEX SEEK fact:FactVersion(group_id, target_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
  }
  WITH fact
  WHERE fact.believed_from <= $asked.system AND fact.believed_until > $asked.outlasting
    AND fact.valid_from <= $asked.begun AND fact.valid_until > $asked.lasting AND ($asked.history OR fact.valid_from < fact.valid_until)
    // filters {
    AND ($asked.relations IS NULL OR fact.name IN $asked.relations)
    AND ($asked.least_confidence IS NULL OR fact.confidence >= $asked.least_confidence)
    AND ($asked.sources IS NULL AND $asked.speakers IS NULL OR EXISTS {
      UNWIND fact.evidence_in AS name
      CALL (name, fact) {
        MATCH (episode:Episodic {group_id: fact.group_id, uuid: name}) USING INDEX SEEK episode:Episodic(group_id, uuid) RETURN episode
        UNION ALL
        MATCH (episode:EpisodicVersion {group_id: fact.group_id, uuid: name}) USING INDEX SEEK episode:EpisodicVersion(group_id, uuid, believed_until) WHERE episode.believed_until > $asked.outlasting RETURN episode
      }
      WITH episode
      WHERE episode.believed_from <= $asked.system AND episode.believed_until > $asked.outlasting
        AND ($asked.sources IS NULL OR episode.source_description IN $asked.sources)
          AND ($asked.speakers IS NULL OR episode.speaker_id IN $asked.speakers OR episode.speaker_name IN $asked.speakers)
      RETURN episode
    })
    AND ($asked.types IS NULL OR EXISTS {
      UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
      CALL (end, fact) {
        MATCH (entity:Entity {group_id: fact.group_id, uuid: end}) USING INDEX SEEK entity:Entity(group_id, uuid) RETURN entity
        UNION ALL
        MATCH (entity:EntityVersion {group_id: fact.group_id, uuid: end}) USING INDEX SEEK entity:EntityVersion(group_id, uuid, believed_until) WHERE entity.believed_until > $asked.outlasting RETURN entity
      }
      WITH entity WHERE entity.type IN $asked.types AND entity.believed_from <= $asked.system AND entity.believed_until > $asked.outlasting
      RETURN entity
    })
    AND ($asked.properties IS NULL OR EXISTS {
      UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
      WITH end WHERE COUNT {
        UNWIND $asked.properties AS property
        CALL (property, fact, end) {
          MATCH ()-[said:RELATES_TO {group_id: fact.group_id, source_node_uuid: end, name: property[0]}]->() USING INDEX SEEK said:RELATES_TO(group_id, source_node_uuid, name) RETURN said
          UNION ALL
          MATCH (said:FactVersion {group_id: fact.group_id, source_node_uuid: end, name: property[0]}) USING INDEX SEEK said:FactVersion(group_id, source_node_uuid, name) RETURN said
        }
        WITH property, said
        WHERE said.target_node_uuid = property[1] AND said.object_kind = 'literal'
          AND said.believed_from <= $asked.system AND said.believed_until > $asked.outlasting
          AND said.valid_from <= $asked.begun AND said.valid_until > $asked.lasting AND ($asked.history OR said.valid_from < said.valid_until)
        RETURN DISTINCT property
      } = size($asked.properties)
      RETURN end
    })
    // }
  RETURN fact ORDER BY fact.valid_from DESC, fact.handle DESC LIMIT $asked.limit
}
WITH DISTINCT fact
ORDER BY fact.valid_from DESC, fact.handle DESC
RETURN collect([fact.handle, fact.group_id, fact.source_node_uuid, coalesce(fact.object, fact.target_node_uuid),
  fact.object_kind = 'entity', fact.valid_from]) AS edges
