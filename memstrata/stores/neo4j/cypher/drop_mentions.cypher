UNWIND $episodes AS episode
MATCH (mention:Mention)
USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
WHERE mention.group_id = $group AND mention.episode_id = episode AND mention.mention_id IS NOT NULL
WITH mention, mention.signature_id AS signature
DELETE mention
RETURN signature, count(*) AS gone
