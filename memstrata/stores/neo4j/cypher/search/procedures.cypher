CYPHER replan=skip
// Procedures believed now: each arm's hits as [handle, score], and how many it saw before times and filters.
// Neo4j filters inside neither index: each arm looks deeper than the limit, then this does.
CALL () {
  CALL () {
    UNWIND $asked.queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_procedures', query, {limit: $asked.deep}) YIELD node AS procedure, score
    RETURN 'words' AS arm, procedure, score
    UNION ALL
    UNWIND $asked.vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      UNWIND $asked.groups AS group
      MATCH (near:Procedure {group_id: group}) USING INDEX SEEK near:Procedure(group_id)
      WITH near LIMIT $asked.probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      UNWIND CASE WHEN there < $asked.probe THEN $asked.groups ELSE [] END AS group
      MATCH (near:Procedure {group_id: group}) USING INDEX SEEK near:Procedure(group_id)
      WHERE near.embedding IS NOT NULL
      RETURN near, 'exact' AS arm, null AS score
      UNION ALL
      UNWIND CASE WHEN there >= $asked.probe THEN [vector] ELSE [] END AS once
      CALL db.index.vector.queryNodes('memstrata_procedure_vectors', $asked.reach, once) YIELD node AS near, score
      RETURN near, 'index' AS arm, 2 * score - 1 AS score
    }
    RETURN arm, near AS procedure, score
  }
  WITH arm, procedure, score,
    procedure.group_id IN $asked.groups AND procedure.believed_from <= $asked.system AND procedure.believed_until > $asked.outlasting
    // filters {
    AND ($asked.filtered = false OR $asked.may_pass AND EXISTS {
      UNWIND procedure.evidence AS name
      MATCH (episode:Episodic {group_id: procedure.group_id, uuid: name}) USING INDEX SEEK episode:Episodic(group_id, uuid)
      WHERE ($asked.sources IS NULL OR episode.source_description IN $asked.sources)
          AND ($asked.speakers IS NULL OR episode.speaker_id IN $asked.speakers OR episode.speaker_name IN $asked.speakers)
    })
    // }
    AS passes
  WITH arm, procedure.handle AS handle,
    CASE WHEN NOT coalesce(passes, false) THEN null WHEN arm <> 'exact' THEN score ELSE 2 * vector.similarity.cosine(procedure.embedding, $asked.vectors[0]) - 1 END AS score
  ORDER BY score DESC, handle
  RETURN arm, count(*) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$asked.limit] AS hits
  UNION ALL
  UNWIND $asked.vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'})
  RETURN 'model' AS arm, model.dimension AS seen, [[model.model, model.engine]] AS hits
}
RETURN arm, seen, hits
