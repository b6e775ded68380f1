UNWIND $rows AS row
MATCH (mention:Mention {group_id: $group, episode_id: row[0], mention_id: row[1]})
USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
MATCH (name:Name {group_id: $group, signature_id: mention.signature_id})
USING INDEX SEEK name:Name(group_id, signature_id)
RETURN row[1] AS mention, name {.signature_id, .keys, .entity_id, .first_at, .first_mention, .first_episode, .mentions, .example} AS name
