// Takes the group's lock, then reads what a commit concerns, as the last one left it: setting a property locks.
MERGE (group:Group {group_id: $given.group})
  ON CREATE SET group.last_seq = 0, group.last_instant = $given.always
SET group.locked = true
WITH group
CALL () {
  UNWIND $given.episodes AS id
  CALL (id) {
    MATCH (episode:Episodic {group_id: $given.group, uuid: id})
    USING INDEX SEEK episode:Episodic(group_id, uuid)
    RETURN episode, false AS pending
    UNION ALL
    MATCH (episode:PendingEpisode {group_id: $given.group, uuid: id})
    USING INDEX SEEK episode:PendingEpisode(group_id, uuid)
    RETURN episode, true AS pending
  }
  RETURN collect({
    id: id, handle: episode.handle, pending: pending, revision: episode.revision,
    content_hash: episode.content_hash, ingested: episode.ingested,
    saga: CASE WHEN pending THEN null ELSE episode.saga END, turn: CASE WHEN pending THEN null ELSE episode.turn END
  }) AS episodes
}
CALL () {
  UNWIND $given.signatures AS signature
  MATCH (name:Name {group_id: $given.group, signature_id: signature})
  USING INDEX SEEK name:Name(group_id, signature_id)
  RETURN collect({
    signature: signature, entity: name.entity_id, keys: name.keys, stood_for: name.stood_for
  }) AS names
}
// The mentions that go.
CALL () {
  UNWIND $given.episodes AS id
  MATCH (mention:Mention)
  USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
  WHERE mention.group_id = $given.group AND mention.episode_id = id AND mention.mention_id IS NOT NULL
  WITH mention.signature_id AS signature, count(*) AS times
  RETURN collect([signature, times]) AS mentions
}
CALL () {
  UNWIND $given.apart AS row
  MATCH (mention:Mention {group_id: $given.group, episode_id: row[0], mention_id: row[1]})
  USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
  RETURN collect([mention.signature_id, 1]) AS apart
}
// The episodes in which names that move now are mentioned.
CALL () {
  UNWIND $given.standing_for AS row
  MATCH (name:Name {group_id: $given.group, signature_id: row[0]})
  USING INDEX SEEK name:Name(group_id, signature_id)
  WHERE name.entity_id <> row[1]
  MATCH (mention:Mention)
  USING INDEX SEEK mention:Mention(group_id, signature_id, reference_time, mention_id)
  WHERE mention.group_id = $given.group AND mention.signature_id = row[0]
    AND mention.reference_time IS NOT NULL AND mention.mention_id IS NOT NULL
  RETURN collect(DISTINCT mention.episode_id) AS moving
}
CALL () {
  UNWIND $given.entities AS id
  MATCH (entity:Entity {group_id: $given.group, uuid: id})
  USING INDEX SEEK entity:Entity(group_id, uuid)
  RETURN collect(entity {id: id, .name, .type, .aliases}) AS entities
}
CALL () {
  UNWIND $given.facts AS id
  CALL (id) {
    MATCH ()-[fact:RELATES_TO {group_id: $given.group, uuid: id}]->()
      USING INDEX SEEK fact:RELATES_TO(group_id, uuid)
    RETURN properties(fact) AS fact, false AS beside
    UNION ALL
    MATCH (fact:FactVersion {group_id: $given.group, uuid: id, believed_until: $given.open})
    USING INDEX SEEK fact:FactVersion(group_id, uuid, believed_until)
    RETURN properties(fact) AS fact, true AS beside
  }
  RETURN collect({
    id: id, beside: beside, text: fact.fact, passage: fact.passage, handle: fact.handle, awaits: fact.awaits,
    evidence: fact.evidence, evidence_in: fact.evidence_in
  }) AS facts
}
CALL () {
  UNWIND $given.assertions AS id
  MATCH (placement:Placement {group_id: $given.group, id: id})
  USING INDEX SEEK placement:Placement(group_id, id)
  RETURN collect([id, placement.episode_id]) AS said
}
// The facts that rest on an episode of which another revision comes.
CALL () {
  UNWIND $given.episodes AS id
  MATCH (episode:Episodic {group_id: $given.group, uuid: id})
  USING INDEX SEEK episode:Episodic(group_id, uuid)
  RETURN collect([id, episode.entity_edges]) AS cited
}
RETURN group.last_seq AS last_seq, group.last_instant AS last_instant, group.last_write AS last_write,
  coalesce(group.emptying, false) AS emptying, episodes, names, mentions + apart AS mentions, moving, entities,
  facts, said, cited
