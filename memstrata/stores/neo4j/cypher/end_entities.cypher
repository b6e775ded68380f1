UNWIND $ids AS id
MATCH (entity:Entity {group_id: $group, uuid: id})
CREATE (version:EntityVersion)
SET version = properties(entity), version.believed_until = $now
