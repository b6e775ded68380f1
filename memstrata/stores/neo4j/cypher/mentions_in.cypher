UNWIND $ids AS id
MATCH (mention:Mention)
USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
WHERE mention.group_id = $group AND mention.episode_id = id AND mention.mention_id IS NOT NULL
RETURN mention.signature_id AS signature, count(*) AS times
