MATCH (name:Name) WHERE name.group_id = $group AND $id IN name.stood_for AND name.mentions > 0
MATCH (entity:Entity {group_id: $group, uuid: name.entity_id})
RETURN DISTINCT entity.uuid AS id
