UNWIND $given.rows AS row
MATCH (source:Entity {group_id: $given.group, uuid: row.source_node_uuid})
USING INDEX SEEK source:Entity(group_id, uuid)
MATCH (target:Entity {group_id: $given.group, uuid: row.target_node_uuid})
USING INDEX SEEK target:Entity(group_id, uuid)
CREATE (source)-[fact:RELATES_TO]->(target)
SET fact = row
