// Episodes, by their passages, as of a system time, or ever believed: as the statement of the present, over what has ended too.
// What has ended has no vector index: its group's is compared exactly.
CALL () {
  CALL () {
    UNWIND $queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_passages', query, {limit: $deep}) YIELD node AS passage, score
    RETURN 'words' AS arm, passage, score
    UNION ALL
    UNWIND $queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_passage_versions', query, {limit: $deep}) YIELD node AS passage, score
    RETURN 'words' AS arm, passage, score
    UNION ALL
    UNWIND $vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      MATCH (near:Passage) WHERE near.group_id IN $groups
      WITH near LIMIT $probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      WITH vector, there WHERE there < $probe
      MATCH (near:Passage) WHERE near.group_id IN $groups AND near.embedding IS NOT NULL
      RETURN near, 'exact' AS arm
      UNION ALL
      WITH vector, there WHERE there >= $probe
      CALL db.index.vector.queryNodes('memstrata_passage_vectors', $reach, vector) YIELD node AS near
      RETURN near, 'index' AS arm
      UNION ALL
      WITH vector
      MATCH (near:PassageVersion) WHERE near.group_id IN $groups AND near.embedding IS NOT NULL
      RETURN near, 'exact' AS arm
    }
    RETURN arm, near AS passage, null AS score
  }
  WITH arm, passage, score,
    passage.group_id IN $groups AND passage.valid_from <= $begun AND passage.valid_from >= $earliest
    AND passage.believed_from <= $system AND passage.believed_until > $outlasting
    AND ($filtered = false OR EXISTS {
      MATCH (episode)-[:HAS_PASSAGE]->(passage)
      WHERE ($sources IS NULL OR episode.source_description IN $sources)
          AND ($speakers IS NULL OR episode.speaker_id IN $speakers OR episode.speaker_name IN $speakers)
        AND ($metadata IS NULL OR all(pair IN $metadata WHERE pair IN episode.metadata))
        AND (NOT $of_facts OR EXISTS {
          CALL (episode) {
            MATCH (placed:Placement {group_id: episode.group_id, episode_id: episode.uuid}) RETURN placed
            UNION ALL
            MATCH (placed:PlacementVersion {group_id: episode.group_id, episode_id: episode.uuid}) RETURN placed
          }
          WITH DISTINCT episode, placed.subject AS subject, placed.predicate AS predicate
          CALL (episode, subject, predicate) {
            MATCH ()-[fact:RELATES_TO {group_id: episode.group_id, source_node_uuid: subject, name: predicate}]->() RETURN fact
            UNION ALL
            MATCH (fact:FactVersion {group_id: episode.group_id, source_node_uuid: subject, name: predicate}) RETURN fact
          }
          WITH episode, fact
          WHERE episode.uuid IN fact.evidence_in
            AND fact.believed_from <= $system AND fact.believed_until > $outlasting
            AND fact.valid_from <= $begun AND fact.valid_until > $lasting AND ($history OR fact.valid_from < fact.valid_until)
            AND ($relations IS NULL OR fact.name IN $relations)
            AND ($least_confidence IS NULL OR fact.confidence >= $least_confidence)
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
          RETURN fact
        })
    }) AS passes
  WITH arm, passage.episode AS handle,
    max(CASE WHEN NOT passes THEN null WHEN arm = 'words' THEN score ELSE 2 * vector.similarity.cosine(passage.embedding, $vectors[0]) - 1 END) AS score, count(*) AS passages
  ORDER BY score DESC, handle
  RETURN arm, sum(passages) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$limit] AS hits
  UNION ALL
  UNWIND $vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'}) WHERE model.dimension <> size(vector)
  RETURN 'model' AS arm, model.dimension AS seen, [model.model] AS hits
}
RETURN arm, seen, hits
