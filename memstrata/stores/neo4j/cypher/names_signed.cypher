UNWIND $ids AS id
MATCH (name:Name {group_id: $group, signature_id: id})
USING INDEX SEEK name:Name(group_id, signature_id)
WHERE name.mentions > 0
RETURN name {.signature_id, .keys, .entity_id, .first_at, .first_mention, .first_episode, .mentions, .example} AS name
