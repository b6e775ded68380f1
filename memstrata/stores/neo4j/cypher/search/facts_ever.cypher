CYPHER replan=skip
// Facts as of a system time, or ever believed: as the statement of the present, over what has ended too.
// What has ended has no vector index: its group's is compared exactly.
CALL () {
  CALL () {
    UNWIND $asked.queries AS query
    CALL db.index.fulltext.queryRelationships('memstrata_facts', query, {limit: $asked.deep}) YIELD relationship AS fact, score
    RETURN 'words' AS arm, fact, score
    UNION ALL
    UNWIND $asked.queries AS query
    CALL db.index.fulltext.queryNodes('memstrata_fact_versions', query, {limit: $asked.deep}) YIELD node AS fact, score
    RETURN 'words' AS arm, fact, score
    UNION ALL
    UNWIND $asked.vectors AS vector
    MATCH (:Memstrata {name: 'vectors', dimension: size(vector)})
    CALL () {
      UNWIND $asked.groups AS group
      MATCH ()-[near:RELATES_TO {group_id: group}]->() USING INDEX SEEK near:RELATES_TO(group_id)
      WITH near LIMIT $asked.probe
      RETURN count(near) AS there
    }
    CALL (vector, there) {
      UNWIND CASE WHEN there < $asked.probe THEN $asked.groups ELSE [] END AS group
      MATCH ()-[near:RELATES_TO {group_id: group}]->() USING INDEX SEEK near:RELATES_TO(group_id)
      WHERE near.fact_embedding IS NOT NULL
      RETURN near, 'exact' AS arm, null AS score
      UNION ALL
      UNWIND CASE WHEN there >= $asked.probe THEN [vector] ELSE [] END AS once
      CALL db.index.vector.queryRelationships('memstrata_fact_vectors', $asked.reach, once) YIELD relationship AS near, score
      RETURN near, 'index' AS arm, 2 * score - 1 AS score
      UNION ALL
      UNWIND $asked.groups AS group
      MATCH (near:FactVersion {group_id: group}) USING INDEX SEEK near:FactVersion(group_id, believed_until)
      WHERE near.believed_until > $asked.outlasting AND near.fact_embedding IS NOT NULL
      RETURN near, 'exact' AS arm, null AS score
    }
    RETURN arm, near AS fact, score
  }
  WITH arm, fact, score,
    fact.group_id IN $asked.groups
    AND fact.believed_from <= $asked.system AND fact.believed_until > $asked.outlasting
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
    AS passes
  WITH arm, fact.handle AS handle,
    CASE WHEN NOT coalesce(passes, false) THEN null WHEN arm <> 'exact' THEN score ELSE 2 * vector.similarity.cosine(fact.fact_embedding, $asked.vectors[0]) - 1 END AS score
  ORDER BY score DESC, handle
  RETURN arm, count(*) AS seen, collect(CASE WHEN score IS NOT NULL THEN [handle, score] END)[..$asked.limit] AS hits, null AS edges
  UNION ALL
  UNWIND $asked.names AS query
  CALL (query) {
    CALL db.index.fulltext.queryNodes('memstrata_entities', query) YIELD node AS entity RETURN entity
    UNION ALL
    CALL db.index.fulltext.queryNodes('memstrata_entity_versions', query) YIELD node AS entity RETURN entity
  }
  WITH entity WHERE entity.group_id IN $asked.groups AND entity.believed_from <= $asked.system AND entity.believed_until > $asked.outlasting
  WITH entity.handle AS handle, entity.uuid AS id ORDER BY handle LIMIT $asked.limit
  WITH collect([handle, 1.0, id]) AS named
  CALL (named) {
    UNWIND $asked.groups AS group
    UNWIND [hit IN named[..$asked.starts] | hit[2]] AS id
    WITH DISTINCT group, id
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
      RETURN fact ORDER BY fact.valid_from DESC, fact.handle DESC LIMIT $asked.edges
    }
    WITH DISTINCT fact
    ORDER BY fact.valid_from DESC, fact.handle DESC
    RETURN collect([fact.handle, fact.group_id, fact.source_node_uuid, coalesce(fact.object, fact.target_node_uuid),
      fact.object_kind = 'entity', fact.valid_from]) AS edges
  }
  RETURN 'names' AS arm, size(named) AS seen, named AS hits, edges
  UNION ALL
  UNWIND $asked.vectors AS vector
  MATCH (model:Memstrata {name: 'vectors'})
  RETURN 'model' AS arm, model.dimension AS seen, [[model.model, model.engine]] AS hits, null AS edges
}
RETURN arm, seen, hits, edges
