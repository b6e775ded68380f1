// Uniqueness before Graphiti's ranges: its IF NOT EXISTS would take their place.
CREATE CONSTRAINT memstrata_settings IF NOT EXISTS FOR (n:Memstrata) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT memstrata_group IF NOT EXISTS FOR (n:Group) REQUIRE n.group_id IS UNIQUE;
CREATE CONSTRAINT memstrata_entity IF NOT EXISTS FOR (n:Entity) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT memstrata_entity_version IF NOT EXISTS FOR (n:EntityVersion) REQUIRE (n.group_id, n.uuid, n.believed_until) IS UNIQUE;
CREATE CONSTRAINT memstrata_unnamed IF NOT EXISTS FOR (n:Unnamed) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT memstrata_literal IF NOT EXISTS FOR (n:Literal) REQUIRE (n.group_id, n.key) IS UNIQUE;
CREATE CONSTRAINT memstrata_episodic IF NOT EXISTS FOR (n:Episodic) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT memstrata_pending_episode IF NOT EXISTS FOR (n:PendingEpisode) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT memstrata_episodic_version IF NOT EXISTS FOR (n:EpisodicVersion) REQUIRE (n.group_id, n.uuid, n.believed_until) IS UNIQUE;
CREATE CONSTRAINT memstrata_saga IF NOT EXISTS FOR (n:Saga) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT memstrata_fact_version IF NOT EXISTS FOR (n:FactVersion) REQUIRE (n.group_id, n.uuid, n.believed_until) IS UNIQUE;
CREATE CONSTRAINT memstrata_placement IF NOT EXISTS FOR (n:Placement) REQUIRE (n.group_id, n.id) IS UNIQUE;
CREATE CONSTRAINT memstrata_placement_version IF NOT EXISTS FOR (n:PlacementVersion) REQUIRE (n.group_id, n.id, n.retracted_at) IS UNIQUE;
CREATE CONSTRAINT memstrata_name IF NOT EXISTS FOR (n:Name) REQUIRE (n.group_id, n.signature_id) IS UNIQUE;
CREATE CONSTRAINT memstrata_name_key IF NOT EXISTS FOR (n:NameKey) REQUIRE (n.group_id, n.key) IS UNIQUE;
CREATE CONSTRAINT memstrata_mention IF NOT EXISTS FOR (n:Mention) REQUIRE (n.group_id, n.episode_id, n.mention_id) IS UNIQUE;
CREATE CONSTRAINT memstrata_summary IF NOT EXISTS FOR (n:Summary) REQUIRE (n.group_id, n.entity_id, n.believed_until) IS UNIQUE;
CREATE CONSTRAINT memstrata_procedure IF NOT EXISTS FOR (n:Procedure) REQUIRE (n.group_id, n.procedure_id, n.believed_until) IS UNIQUE;
CREATE CONSTRAINT memstrata_fact IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE (r.group_id, r.uuid) IS UNIQUE;

// Handles, and what waits for a vector.
CREATE INDEX memstrata_entity_handle IF NOT EXISTS FOR (n:Entity) ON (n.handle);
CREATE INDEX memstrata_entity_version_handle IF NOT EXISTS FOR (n:EntityVersion) ON (n.handle);
CREATE INDEX memstrata_episodic_handle IF NOT EXISTS FOR (n:Episodic) ON (n.handle);
CREATE INDEX memstrata_episodic_version_handle IF NOT EXISTS FOR (n:EpisodicVersion) ON (n.handle);
CREATE INDEX memstrata_pending_episode_handle IF NOT EXISTS FOR (n:PendingEpisode) ON (n.handle);
CREATE INDEX memstrata_fact_version_handle IF NOT EXISTS FOR (n:FactVersion) ON (n.handle);
CREATE INDEX memstrata_passage_handle IF NOT EXISTS FOR (n:Passage) ON (n.handle);
CREATE INDEX memstrata_passage_version_handle IF NOT EXISTS FOR (n:PassageVersion) ON (n.handle);
CREATE INDEX memstrata_summary_handle IF NOT EXISTS FOR (n:Summary) ON (n.handle);
CREATE INDEX memstrata_procedure_handle IF NOT EXISTS FOR (n:Procedure) ON (n.handle);
CREATE INDEX memstrata_fact_handle IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.handle);
CREATE INDEX memstrata_entity_awaits IF NOT EXISTS FOR (n:Entity) ON (n.awaits);
CREATE INDEX memstrata_entity_version_awaits IF NOT EXISTS FOR (n:EntityVersion) ON (n.awaits);
CREATE INDEX memstrata_fact_version_awaits IF NOT EXISTS FOR (n:FactVersion) ON (n.awaits);
CREATE INDEX memstrata_passage_awaits IF NOT EXISTS FOR (n:Passage) ON (n.awaits);
CREATE INDEX memstrata_passage_version_awaits IF NOT EXISTS FOR (n:PassageVersion) ON (n.awaits);
CREATE INDEX memstrata_summary_awaits IF NOT EXISTS FOR (n:Summary) ON (n.awaits);
CREATE INDEX memstrata_procedure_awaits IF NOT EXISTS FOR (n:Procedure) ON (n.awaits);
CREATE INDEX memstrata_fact_awaits IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.awaits);
CREATE INDEX memstrata_entity_passage IF NOT EXISTS FOR (n:Entity) ON (n.passage);
CREATE INDEX memstrata_entity_version_passage IF NOT EXISTS FOR (n:EntityVersion) ON (n.passage);
CREATE INDEX memstrata_fact_version_passage IF NOT EXISTS FOR (n:FactVersion) ON (n.passage);
CREATE INDEX memstrata_passage_passage IF NOT EXISTS FOR (n:Passage) ON (n.passage);
CREATE INDEX memstrata_passage_version_passage IF NOT EXISTS FOR (n:PassageVersion) ON (n.passage);
CREATE INDEX memstrata_fact_passage IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.passage);

// What a commit looks for.
CREATE INDEX memstrata_fact_source IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.source_node_uuid, r.name);
CREATE INDEX memstrata_fact_version_source IF NOT EXISTS FOR (n:FactVersion) ON (n.group_id, n.source_node_uuid, n.name);
CREATE INDEX memstrata_fact_target IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.target_node_uuid, r.name);
CREATE INDEX memstrata_fact_version_target IF NOT EXISTS FOR (n:FactVersion) ON (n.group_id, n.target_node_uuid, n.name);
CREATE INDEX memstrata_placement_episode IF NOT EXISTS FOR (n:Placement) ON (n.group_id, n.episode_id);
CREATE INDEX memstrata_placement_subject IF NOT EXISTS FOR (n:Placement) ON (n.group_id, n.subject, n.predicate);
CREATE INDEX memstrata_placement_object IF NOT EXISTS FOR (n:Placement) ON (n.group_id, n.object, n.predicate);
CREATE INDEX memstrata_placement_predicate IF NOT EXISTS FOR (n:Placement) ON (n.group_id, n.predicate);
CREATE INDEX memstrata_episodic_turn IF NOT EXISTS FOR (n:Episodic) ON (n.group_id, n.saga, n.turn);
CREATE INDEX memstrata_episodic_version_turn IF NOT EXISTS FOR (n:EpisodicVersion) ON (n.group_id, n.saga, n.turn);
CREATE INDEX memstrata_mention_signature IF NOT EXISTS FOR (n:Mention) ON (n.group_id, n.signature_id, n.reference_time, n.mention_id);
CREATE INDEX memstrata_name_entity IF NOT EXISTS FOR (n:Name) ON (n.group_id, n.entity_id);
CREATE INDEX memstrata_fact_version_until IF NOT EXISTS FOR (n:FactVersion) ON (n.group_id, n.believed_until);
CREATE INDEX memstrata_fact_from IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.believed_from);
CREATE INDEX memstrata_fact_evidence IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.evidence_changed);

// Where a group is small enough to compare all its vectors.
CREATE INDEX memstrata_entity_version_group IF NOT EXISTS FOR (n:EntityVersion) ON (n.group_id);
CREATE INDEX memstrata_passage_group IF NOT EXISTS FOR (n:Passage) ON (n.group_id);
CREATE INDEX memstrata_passage_version_group IF NOT EXISTS FOR (n:PassageVersion) ON (n.group_id);
CREATE INDEX memstrata_summary_group IF NOT EXISTS FOR (n:Summary) ON (n.group_id);
CREATE INDEX memstrata_procedure_group IF NOT EXISTS FOR (n:Procedure) ON (n.group_id);

// Words, with their group in front (lucene.py).
CREATE FULLTEXT INDEX memstrata_entities IF NOT EXISTS FOR (n:Entity) ON EACH [n.words, n.called] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_entity_versions IF NOT EXISTS FOR (n:EntityVersion) ON EACH [n.words, n.called] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_fact_versions IF NOT EXISTS FOR (n:FactVersion) ON EACH [n.words] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_passages IF NOT EXISTS FOR (n:Passage) ON EACH [n.words] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_passage_versions IF NOT EXISTS FOR (n:PassageVersion) ON EACH [n.words] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_summaries IF NOT EXISTS FOR (n:Summary) ON EACH [n.words] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_procedures IF NOT EXISTS FOR (n:Procedure) ON EACH [n.words] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };
CREATE FULLTEXT INDEX memstrata_facts IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON EACH [r.words] OPTIONS { indexConfig: { `fulltext.analyzer`: 'whitespace' } };

// Graphiti 0.31 finds these by their names.
CREATE INDEX entity_uuid IF NOT EXISTS FOR (n:Entity) ON (n.uuid);
CREATE INDEX episode_uuid IF NOT EXISTS FOR (n:Episodic) ON (n.uuid);
CREATE INDEX saga_uuid IF NOT EXISTS FOR (n:Saga) ON (n.uuid);
CREATE INDEX relation_uuid IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.uuid);
CREATE INDEX mention_uuid IF NOT EXISTS FOR ()-[e:MENTIONS]-() ON (e.uuid);
CREATE INDEX entity_group_id IF NOT EXISTS FOR (n:Entity) ON (n.group_id);
CREATE INDEX episode_group_id IF NOT EXISTS FOR (n:Episodic) ON (n.group_id);
CREATE INDEX relation_group_id IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.group_id);
// Brought up to date beside the commit, within milliseconds of it: they are a third of what a small commit costs.
CREATE FULLTEXT INDEX episode_content IF NOT EXISTS FOR (e:Episodic) ON EACH [e.content, e.source, e.source_description, e.group_id] OPTIONS { indexConfig: { `fulltext.eventually_consistent`: true } };
CREATE FULLTEXT INDEX node_name_and_summary IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.summary, n.group_id] OPTIONS { indexConfig: { `fulltext.eventually_consistent`: true } };
CREATE FULLTEXT INDEX community_name IF NOT EXISTS FOR (n:Community) ON EACH [n.name, n.group_id];
CREATE FULLTEXT INDEX edge_name_and_fact IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON EACH [e.name, e.fact, e.group_id] OPTIONS { indexConfig: { `fulltext.eventually_consistent`: true } };
