UNWIND $ids AS id
MATCH (entity:Entity {group_id: $group, uuid: id})
RETURN entity {.group_id, .uuid, .name, .type, .aliases} AS entity
