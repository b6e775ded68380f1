CYPHER replan=skip
// Summaries as of a system time, or ever believed: as the statement of the present, over what has ended too.
// What has ended has no vector index: its group's is compared exactly.
CALL () {
  CALL () {
    UNWIND $asked.queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_summaries', query, {limit: $asked.deep}) YIELD node AS summary, score
    RETURN 'words' AS arm, summary, score
    UNION ALL
    UNWIND $asked.vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      UNWIND $asked.groups AS group
      MATCH (near:Summary {group_id: group}) USING INDEX SEEK near:Summary(group_id)
      WITH near LIMIT $asked.probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      UNWIND CASE WHEN there < $asked.probe THEN $asked.groups ELSE [] END AS group
      MATCH (near:Summary {group_id: group}) USING INDEX SEEK near:Summary(group_id)
      WHERE near.embedding IS NOT NULL
      RETURN near, 'exact' AS arm, null AS score
      UNION ALL
      UNWIND CASE WHEN there >= $asked.probe THEN [vector] ELSE [] END AS once
      CALL db.index.vector.queryNodes('memstrata_summary_vectors', $asked.reach, once) YIELD node AS near, score
      RETURN near, 'index' AS arm, 2 * score - 1 AS score
    }
    RETURN arm, near AS summary, score
  }
  WITH arm, summary, score,
    summary.group_id IN $asked.groups AND summary.believed_from <= $asked.system AND summary.believed_until > $asked.outlasting
    // filters {
    AND ($asked.filtered = false OR EXISTS {
      CALL (summary) {
        MATCH (entity:Entity {group_id: summary.group_id, uuid: summary.entity_id}) USING INDEX SEEK entity:Entity(group_id, uuid) RETURN entity
        UNION ALL
        MATCH (entity:EntityVersion {group_id: summary.group_id, uuid: summary.entity_id}) USING INDEX SEEK entity:EntityVersion(group_id, uuid, believed_until) WHERE entity.believed_until > $asked.outlasting RETURN entity
      }
      WITH entity
      WHERE entity.believed_from <= $asked.system AND entity.believed_until > $asked.outlasting
        AND ($asked.types IS NULL OR entity.type IN $asked.types)
        AND ($asked.properties IS NULL OR COUNT {
          UNWIND $asked.properties AS property
          CALL (property, entity) {
            MATCH ()-[said:RELATES_TO {group_id: entity.group_id, source_node_uuid: entity.uuid, name: property[0]}]->() USING INDEX SEEK said:RELATES_TO(group_id, source_node_uuid, name) RETURN said
            UNION ALL
            MATCH (said:FactVersion {group_id: entity.group_id, source_node_uuid: entity.uuid, name: property[0]}) USING INDEX SEEK said:FactVersion(group_id, source_node_uuid, name) RETURN said
          }
          WITH property, said
          WHERE said.target_node_uuid = property[1] AND said.object_kind = 'literal'
            AND said.believed_from <= $asked.system AND said.believed_until > $asked.outlasting
            AND said.valid_from <= $asked.begun AND said.valid_until > $asked.lasting AND ($asked.history OR said.valid_from < said.valid_until)
          RETURN DISTINCT property
        } = size($asked.properties))
        AND (NOT $asked.of_facts OR EXISTS {
          CALL (entity) {
            MATCH ()-[fact:RELATES_TO {group_id: entity.group_id, source_node_uuid: entity.uuid}]->() USING INDEX SEEK fact:RELATES_TO(group_id, source_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
            UNION ALL
            MATCH ()-[fact:RELATES_TO {group_id: entity.group_id, target_node_uuid: entity.uuid, object_kind: 'entity'}]->() USING INDEX SEEK fact:RELATES_TO(group_id, target_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
            UNION ALL
            MATCH (fact:FactVersion {group_id: entity.group_id, source_node_uuid: entity.uuid}) USING INDEX SEEK fact:FactVersion(group_id, source_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
            UNION ALL
            MATCH (fact:FactVersion {group_id: entity.group_id, target_node_uuid: entity.uuid, object_kind: 'entity'}) USING INDEX SEEK fact:FactVersion(group_id, target_node_uuid, name) WHERE fact.name IS NOT NULL RETURN fact
          }
          WITH fact
          WHERE fact.believed_from <= $asked.system AND fact.believed_until > $asked.outlasting
            AND fact.valid_from <= $asked.begun AND fact.valid_until > $asked.lasting AND ($asked.history OR fact.valid_from < fact.valid_until)
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
          RETURN fact
        })
      RETURN entity
    })
    // }
    AS passes
  WITH arm, summary.handle AS handle,
    CASE WHEN NOT coalesce(passes, false) THEN null WHEN arm <> 'exact' THEN score ELSE 2 * vector.similarity.cosine(summary.embedding, $asked.vectors[0]) - 1 END AS score
  ORDER BY score DESC, handle
  RETURN arm, count(*) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$asked.limit] AS hits
  UNION ALL
  UNWIND $asked.vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'})
  RETURN 'model' AS arm, model.dimension AS seen, [[model.model, model.engine]] AS hits
}
RETURN arm, seen, hits
