UNWIND $given.handles AS handle
CALL (handle) {
  MATCH (episode:Episodic {handle: handle}) RETURN episode
  UNION ALL
  MATCH (episode:PendingEpisode {handle: handle}) RETURN episode
}
MATCH (episode)-[:HAS_PASSAGE]->(passage:Passage)
WITH handle, passage ORDER BY passage.position
RETURN handle, collect(passage.text) AS texts
