UNWIND $ids AS id
MATCH (entity:Entity {group_id: $group, uuid: id})
RETURN id, entity.name AS name
