UNWIND $ids AS id
MATCH (episode:Episodic {group_id: $group, uuid: id})
USING INDEX SEEK episode:Episodic(group_id, uuid)
RETURN episode {.group_id, .uuid, .revision, .valid_from, .content_hash, .content, .record} AS episode, episode.saga AS saga, episode.turn AS turn
