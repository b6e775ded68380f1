// Procedures as of a system time, or ever believed: as the statement of the present, over what has ended too.
// What has ended has no vector index: its group's is compared exactly.
CALL () {
  CALL () {
    UNWIND $queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_procedures', query, {limit: $deep}) YIELD node AS procedure, score
    RETURN 'words' AS arm, procedure, score
    UNION ALL
    UNWIND $vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      MATCH (near:Procedure) WHERE near.group_id IN $groups
      WITH near LIMIT $probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      WITH vector, there WHERE there < $probe
      MATCH (near:Procedure) WHERE near.group_id IN $groups AND near.embedding IS NOT NULL
      RETURN near, 'exact' AS arm
      UNION ALL
      WITH vector, there WHERE there >= $probe
      CALL db.index.vector.queryNodes('memstrata_procedure_vectors', $reach, vector) YIELD node AS near
      RETURN near, 'index' AS arm
    }
    RETURN arm, near AS procedure, null AS score
  }
  WITH arm, procedure, score,
    procedure.group_id IN $groups AND procedure.believed_from <= $system AND procedure.believed_until > $outlasting
    AND ($filtered = false OR $may_pass AND EXISTS {
      UNWIND procedure.evidence AS name
      CALL (name, procedure) {
        MATCH (episode:Episodic {group_id: procedure.group_id, uuid: name}) RETURN episode
        UNION ALL
        MATCH (episode:EpisodicVersion {group_id: procedure.group_id, uuid: name}) WHERE episode.believed_until > $outlasting RETURN episode
      }
      WITH episode
      WHERE episode.believed_from <= $system AND episode.believed_until > $outlasting
        AND ($sources IS NULL OR episode.source_description IN $sources)
          AND ($speakers IS NULL OR episode.speaker_id IN $speakers OR episode.speaker_name IN $speakers)
      RETURN episode
    }) AS passes
  WITH arm, procedure.handle AS handle,
    CASE WHEN NOT passes THEN null WHEN arm = 'words' THEN score ELSE 2 * vector.similarity.cosine(procedure.embedding, $vectors[0]) - 1 END AS score
  ORDER BY score DESC, handle
  RETURN arm, count(*) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$limit] AS hits
  UNION ALL
  UNWIND $vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'}) WHERE model.dimension <> size(vector)
  RETURN 'model' AS arm, model.dimension AS seen, [model.model] AS hits
}
RETURN arm, seen, hits
