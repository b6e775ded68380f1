UNWIND $ids AS id
MATCH (entity:Entity {group_id: $group, uuid: id})
RETURN id, entity.name AS name, entity.type AS type, entity.aliases AS aliases, entity.passage AS passage,
  entity.awaits AS awaits
