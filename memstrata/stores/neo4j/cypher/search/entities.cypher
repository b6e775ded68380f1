CYPHER replan=skip
// Entities believed now: each arm's hits as [handle, score], and how many it saw before times and filters.
// Neo4j filters inside neither index: each arm looks deeper than the limit, then this does.
CALL () {
  CALL () {
    UNWIND $asked.queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_entities', query, {limit: $asked.deep}) YIELD node AS entity, score
    RETURN 'words' AS arm, entity, score
    UNION ALL
    UNWIND $asked.names AS query
    CALL db.index.fulltext.queryNodes('memstrata_entities', query) YIELD node AS entity
    RETURN 'names' AS arm, entity, 1.0 AS score
    UNION ALL
    UNWIND $asked.vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      UNWIND $asked.groups AS group
      MATCH (near:Entity {group_id: group}) USING INDEX SEEK near:Entity(group_id)
      WITH near LIMIT $asked.probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      UNWIND CASE WHEN there < $asked.probe THEN $asked.groups ELSE [] END AS group
      MATCH (near:Entity {group_id: group}) USING INDEX SEEK near:Entity(group_id)
      WHERE near.name_embedding IS NOT NULL
      RETURN near, 'exact' AS arm, null AS score
      UNION ALL
      UNWIND CASE WHEN there >= $asked.probe THEN [vector] ELSE [] END AS once
      CALL db.index.vector.queryNodes('memstrata_entity_vectors', $asked.reach, once) YIELD node AS near, score
      RETURN near, 'index' AS arm, 2 * score - 1 AS score
    }
    RETURN arm, near AS entity, score
  }
  WITH arm, entity, score,
    entity.group_id IN $asked.groups
    // filters {
    AND ($asked.types IS NULL OR entity.type IN $asked.types)
    AND ($asked.properties IS NULL OR COUNT {
      UNWIND $asked.properties AS property
      MATCH ()-[said:RELATES_TO {group_id: entity.group_id, source_node_uuid: entity.uuid, name: property[0]}]->() USING INDEX SEEK said:RELATES_TO(group_id, source_node_uuid, name)
      WHERE said.target_node_uuid = property[1] AND said.object_kind = 'literal'
        AND said.valid_from <= $asked.begun AND said.valid_until > $asked.lasting AND said.valid_from < said.valid_until
      RETURN DISTINCT property
    } = size($asked.properties))
    AND (NOT $asked.of_facts OR EXISTS {
      MATCH (entity)-[fact:RELATES_TO]-()
      WHERE fact.valid_from <= $asked.begun AND fact.valid_until > $asked.lasting AND fact.valid_from < fact.valid_until
        AND ($asked.relations IS NULL OR fact.name IN $asked.relations)
        AND ($asked.least_confidence IS NULL OR fact.confidence >= $asked.least_confidence)
        AND ($asked.sources IS NULL AND $asked.speakers IS NULL OR EXISTS {
          UNWIND fact.evidence_in AS name
          MATCH (episode:Episodic {group_id: fact.group_id, uuid: name}) USING INDEX SEEK episode:Episodic(group_id, uuid)
          WHERE ($asked.sources IS NULL OR episode.source_description IN $asked.sources)
              AND ($asked.speakers IS NULL OR episode.speaker_id IN $asked.speakers OR episode.speaker_name IN $asked.speakers)
        })
    })
    // }
    AS passes
  WITH arm, entity.handle AS handle,
    CASE WHEN NOT coalesce(passes, false) THEN null WHEN arm <> 'exact' THEN score ELSE 2 * vector.similarity.cosine(entity.name_embedding, $asked.vectors[0]) - 1 END AS score
  ORDER BY score DESC, handle
  RETURN arm, count(*) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$asked.limit] AS hits
  UNION ALL
  UNWIND $asked.vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'})
  RETURN 'model' AS arm, model.dimension AS seen, [[model.model, model.engine]] AS hits
}
RETURN arm, seen, hits
