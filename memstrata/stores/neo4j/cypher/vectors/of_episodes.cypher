UNWIND $handles AS handle
CALL (handle) {
  MATCH (:Episodic {handle: handle})-[:HAS_PASSAGE]->(passage {position: 0}) RETURN passage.embedding AS vector
  UNION ALL
  MATCH (:EpisodicVersion {handle: handle})-[:HAS_PASSAGE]->(passage {position: 0}) RETURN passage.embedding AS vector
}
WITH handle, vector WHERE vector IS NOT NULL
RETURN handle, vector
