UNWIND $given.rows AS row
MATCH (source:Entity|Unnamed {group_id: $given.group, uuid: row.source_node_uuid})
MATCH (target:Entity|Unnamed {group_id: $given.group, uuid: row.target_node_uuid})
CREATE (source)-[fact:RELATES_TO]->(target)
SET fact = row
