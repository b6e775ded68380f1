UNWIND $ids AS id
MATCH (key:NameKey {group_id: $group, key: id})-[:OPENS]->(name:Name)
USING INDEX SEEK key:NameKey(group_id, key)
WHERE name.mentions > 0
WITH DISTINCT name
RETURN name {.signature_id, .keys, .entity_id, .first_at, .first_mention, .first_episode, .mentions, .example} AS name
