UNWIND $given.ids AS id
MATCH (entity:Entity {group_id: $given.group, uuid: id})
USING INDEX SEEK entity:Entity(group_id, uuid)
CREATE (version:EntityVersion)
SET version = properties(entity), version.believed_until = $given.now
