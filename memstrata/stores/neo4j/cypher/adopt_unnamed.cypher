UNWIND $ids AS id
MATCH (entity:Unnamed {group_id: $group, uuid: id})
REMOVE entity:Unnamed
SET entity:Entity
