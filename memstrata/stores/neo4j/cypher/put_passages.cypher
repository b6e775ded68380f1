// What reads as before at its place keeps its vector.
UNWIND $given.rows AS row
MATCH (episode:Episodic {group_id: $given.group, uuid: row.episode})
USING INDEX SEEK episode:Episodic(group_id, uuid)
CALL (episode, row) {
  MATCH (episode)-[:HAS_PASSAGE]->(old:Passage)
  WHERE coalesce(row.passages[old.position].text <> old.text, true)
  DETACH DELETE old
}
CALL (episode, row) {
  UNWIND row.passages AS properties
  WITH episode, properties
  WHERE NOT EXISTS {
    (episode)-[:HAS_PASSAGE]->(kept:Passage) WHERE kept.position = properties.position
  }
  CREATE (episode)-[:HAS_PASSAGE]->(passage:Passage)
  SET passage = properties, passage.episode = episode.handle, passage.valid_from = episode.valid_from,
    passage.believed_from = episode.believed_from, passage.believed_until = episode.believed_until,
    passage.awaits = $given.now
}
