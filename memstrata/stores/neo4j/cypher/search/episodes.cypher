CYPHER replan=skip
// Episodes, by their passages, believed now: each arm's hits as [handle, score], and how many it saw before times and filters.
// Neo4j filters inside neither index: each arm looks deeper than the limit, then this does.
// On which episodes the facts rest that pass, if facts must.
CALL () {
  UNWIND CASE WHEN $asked.of_facts THEN $asked.groups ELSE [] END AS group
  MATCH ()-[fact:RELATES_TO {group_id: group}]->() USING INDEX SEEK fact:RELATES_TO(group_id)
  WHERE fact.valid_from <= $asked.begun AND fact.valid_until > $asked.lasting AND fact.valid_from < fact.valid_until
      AND ($asked.relations IS NULL OR fact.name IN $asked.relations)
      AND ($asked.least_confidence IS NULL OR fact.confidence >= $asked.least_confidence)
      AND ($asked.types IS NULL OR EXISTS {
        UNWIND CASE fact.object_kind WHEN 'literal' THEN [fact.source_node_uuid] ELSE [fact.source_node_uuid, fact.target_node_uuid] END AS end
        MATCH (entity:Entity {group_id: fact.group_id, uuid: end}) USING INDEX SEEK entity:Entity(group_id, uuid) WHERE entity.type IN $asked.types
      })
  UNWIND fact.evidence_in AS name
  RETURN collect(DISTINCT [fact.group_id, name]) AS resting
}
CALL (resting) {
  CALL () {
    UNWIND $asked.queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_passages', query, {limit: $asked.deep}) YIELD node AS passage, score
    RETURN 'words' AS arm, passage, score
    UNION ALL
    UNWIND $asked.vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      UNWIND $asked.groups AS group
      MATCH (near:Passage {group_id: group}) USING INDEX SEEK near:Passage(group_id)
      WITH near LIMIT $asked.probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      UNWIND CASE WHEN there < $asked.probe THEN $asked.groups ELSE [] END AS group
      MATCH (near:Passage {group_id: group}) USING INDEX SEEK near:Passage(group_id)
      WHERE near.embedding IS NOT NULL
      RETURN near, 'exact' AS arm, null AS score
      UNION ALL
      UNWIND CASE WHEN there >= $asked.probe THEN [vector] ELSE [] END AS once
      CALL db.index.vector.queryNodes('memstrata_passage_vectors', $asked.reach, once) YIELD node AS near, score
      RETURN near, 'index' AS arm, 2 * score - 1 AS score
    }
    RETURN arm, near AS passage, score
  }
  WITH arm, passage, score,
    passage.group_id IN $asked.groups AND passage.valid_from <= $asked.begun AND passage.valid_from >= $asked.earliest
    // filters {
    AND ($asked.filtered = false OR EXISTS {
      MATCH (episode)-[:HAS_PASSAGE]->(passage)
      WHERE ($asked.sources IS NULL OR episode.source_description IN $asked.sources)
          AND ($asked.speakers IS NULL OR episode.speaker_id IN $asked.speakers OR episode.speaker_name IN $asked.speakers)
        AND ($asked.metadata IS NULL OR all(pair IN $asked.metadata WHERE pair IN episode.metadata))
        AND (NOT $asked.of_facts OR (episode:Episodic AND [episode.group_id, episode.uuid] IN resting))
    })
    // }
    AS passes
  WITH arm, passage.episode AS handle,
    max(CASE WHEN NOT coalesce(passes, false) THEN null WHEN arm <> 'exact' THEN score ELSE 2 * vector.similarity.cosine(passage.embedding, $asked.vectors[0]) - 1 END) AS score, count(*) AS passages
  ORDER BY score DESC, handle
  RETURN arm, sum(passages) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$asked.limit] AS hits
  UNION ALL
  UNWIND $asked.vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'})
  RETURN 'model' AS arm, model.dimension AS seen, [[model.model, model.engine]] AS hits
}
RETURN arm, seen, hits
