UNWIND $given.ids AS id
MATCH (episode:PendingEpisode {group_id: $given.group, uuid: id})
USING INDEX SEEK episode:PendingEpisode(group_id, uuid)
OPTIONAL MATCH (episode)-[:HAS_PASSAGE]->(passage:Passage)
DETACH DELETE passage
WITH DISTINCT episode
DETACH DELETE episode
