UNWIND $given.handles AS handle
MATCH (episode:Episodic {handle: handle})
USING INDEX SEEK episode:Episodic(handle)
REMOVE episode:Episodic
SET episode:EpisodicVersion, episode.believed_until = $given.now
WITH episode
CALL (episode) {
  MATCH (episode)-[beside:MENTIONS|NEXT_EPISODE|HAS_EPISODE]-()
  DELETE beside
}
CALL (episode) {
  MATCH (episode)-[:HAS_PASSAGE]->(passage:Passage)
  REMOVE passage:Passage
  SET passage:PassageVersion, passage.believed_until = $given.now
}
