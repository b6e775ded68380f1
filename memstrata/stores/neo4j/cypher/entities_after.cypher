MATCH (entity:Entity)
USING INDEX entity:Entity(group_id, uuid)
WHERE entity.group_id = $group AND entity.uuid > $id
WITH entity ORDER BY entity.group_id, entity.uuid LIMIT $limit
RETURN entity {.group_id, .uuid, .name, .type, .aliases} AS entity
