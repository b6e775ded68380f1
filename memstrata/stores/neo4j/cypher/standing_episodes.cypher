UNWIND $ids AS id
MATCH (episode:Episodic {group_id: $group, uuid: id})
USING INDEX SEEK episode:Episodic(group_id, uuid)
RETURN id, episode.handle AS handle, false AS pending, episode.revision AS revision,
  episode.content_hash AS content_hash, episode.ingested AS ingested, episode.saga AS saga, episode.turn AS turn
UNION ALL
UNWIND $ids AS id
MATCH (episode:PendingEpisode {group_id: $group, uuid: id})
USING INDEX SEEK episode:PendingEpisode(group_id, uuid)
RETURN id, episode.handle AS handle, true AS pending, episode.revision AS revision,
  episode.content_hash AS content_hash, episode.ingested AS ingested, null AS saga, null AS turn
