CYPHER replan=skip
UNWIND $asked.handles AS handle
CALL (handle) {
  MATCH (episode:Episodic {handle: handle}) USING INDEX SEEK episode:Episodic(handle) RETURN episode
  UNION ALL
  MATCH (episode:EpisodicVersion {handle: handle}) USING INDEX SEEK episode:EpisodicVersion(handle) RETURN episode
  UNION ALL
  MATCH (episode:PendingEpisode {handle: handle}) USING INDEX SEEK episode:PendingEpisode(handle) RETURN episode
}
RETURN handle, episode {.group_id, .uuid, .revision, .valid_from, .content_hash, .content, .record} AS episode
