MATCH (entity:Entity)
WHERE entity.group_id = $group AND entity.uuid IS NOT NULL
RETURN entity {.group_id, .uuid, .name, .type, .aliases} AS entity
