UNWIND $ids AS id
MATCH (entity:Entity {group_id: $group, uuid: id})
USING INDEX SEEK entity:Entity(group_id, uuid)
RETURN entity {.group_id, .uuid, .name, .type, .aliases} AS entity
