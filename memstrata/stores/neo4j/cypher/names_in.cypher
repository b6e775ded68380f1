UNWIND $ids AS id
MATCH (mention:Mention)
USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
WHERE mention.group_id = $group AND mention.episode_id = id AND mention.mention_id IS NOT NULL
WITH mention.signature_id AS signature, count(*) AS times
MATCH (name:Name {group_id: $group, signature_id: signature})
USING INDEX SEEK name:Name(group_id, signature_id)
RETURN name {.signature_id, .keys, .entity_id, .first_at, .first_mention, .first_episode, .mentions, .example} AS name, times
