// Entities believed now: each arm's hits as [handle, score], and how many it saw before times and filters.
// Neo4j filters inside neither index: each arm looks deeper than the limit, then this does.
CALL () {
  CALL () {
    UNWIND $queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_entities', query, {limit: $deep}) YIELD node AS entity, score
    RETURN 'words' AS arm, entity, score
    UNION ALL
    UNWIND $names AS query
    CALL db.index.fulltext.queryNodes('memstrata_entities', query) YIELD node AS entity
    RETURN 'names' AS arm, entity, 1.0 AS score
    UNION ALL
    UNWIND $vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      MATCH (near:Entity) WHERE near.group_id IN $groups
      WITH near LIMIT $probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      WITH vector, there WHERE there < $probe
      MATCH (near:Entity) WHERE near.group_id IN $groups AND near.name_embedding IS NOT NULL
      RETURN near, 'exact' AS arm
      UNION ALL
      WITH vector, there WHERE there >= $probe
      CALL db.index.vector.queryNodes('memstrata_entity_vectors', $reach, vector) YIELD node AS near
      RETURN near, 'index' AS arm
    }
    RETURN arm, near AS entity, null AS score
  }
  WITH arm, entity, score,
    entity.group_id IN $groups
    AND ($types IS NULL OR entity.type IN $types)
    AND ($properties IS NULL OR COUNT {
      UNWIND $properties AS property
      MATCH ()-[said:RELATES_TO {group_id: entity.group_id, source_node_uuid: entity.uuid, name: property[0]}]->()
      WHERE said.target_node_uuid = property[1] AND said.object_kind = 'literal'
        AND said.valid_from <= $begun AND said.valid_until > $lasting AND said.valid_from < said.valid_until
      RETURN DISTINCT property
    } = size($properties))
    AND (NOT $of_facts OR EXISTS {
      MATCH (entity)-[fact:RELATES_TO]-()
      WHERE fact.valid_from <= $begun AND fact.valid_until > $lasting AND fact.valid_from < fact.valid_until
        AND ($relations IS NULL OR fact.name IN $relations)
        AND ($least_confidence IS NULL OR fact.confidence >= $least_confidence)
        AND ($sources IS NULL AND $speakers IS NULL OR EXISTS {
          UNWIND fact.evidence_in AS name
          MATCH (episode:Episodic {group_id: fact.group_id, uuid: name})
          WHERE ($sources IS NULL OR episode.source_description IN $sources)
              AND ($speakers IS NULL OR episode.speaker_id IN $speakers OR episode.speaker_name IN $speakers)
        })
    }) AS passes
  WITH arm, entity.handle AS handle,
    CASE WHEN NOT passes THEN null WHEN arm IN ['words', 'names'] THEN score ELSE 2 * vector.similarity.cosine(entity.name_embedding, $vectors[0]) - 1 END AS score
  ORDER BY score DESC, handle
  RETURN arm, count(*) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$limit] AS hits
  UNION ALL
  UNWIND $vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'}) WHERE model.dimension <> size(vector)
  RETURN 'model' AS arm, model.dimension AS seen, [model.model] AS hits
}
RETURN arm, seen, hits
