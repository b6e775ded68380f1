UNWIND $handles AS handle
CALL (handle) {
  MATCH (episode:Episodic {handle: handle}) RETURN episode
  UNION ALL
  MATCH (episode:EpisodicVersion {handle: handle}) RETURN episode
  UNION ALL
  MATCH (episode:PendingEpisode {handle: handle}) RETURN episode
}
RETURN handle, episode {.group_id, .uuid, .revision, .valid_from, .content_hash, .content, .record} AS episode
