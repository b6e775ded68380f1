// An entity that comes (again) shows the summary that consolidation had made of it.
UNWIND $ids AS id
MATCH (summary:Summary {group_id: $group, entity_id: id, believed_until: $open})
MATCH (entity:Entity {group_id: $group, uuid: id})
SET entity.summary = summary.text
