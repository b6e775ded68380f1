UNWIND $given.handles AS handle
CALL (handle) {
  MATCH (episode:Episodic {handle: handle})
  USING INDEX SEEK episode:Episodic(handle)
  RETURN episode
  UNION ALL
  MATCH (episode:PendingEpisode {handle: handle})
  USING INDEX SEEK episode:PendingEpisode(handle)
  RETURN episode
}
MATCH (episode)-[:HAS_PASSAGE]->(passage:Passage)
WITH handle, passage ORDER BY passage.position
RETURN handle, collect(passage.text) AS texts
