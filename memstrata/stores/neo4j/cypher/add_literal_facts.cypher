UNWIND $given.rows AS row
MATCH (source:Entity|Unnamed {group_id: $given.group, uuid: row.source_node_uuid})
MERGE (target:Literal {group_id: $given.group, key: row.target_node_uuid})
  ON CREATE SET target.text = coalesce(row.object, row.target_node_uuid)
CREATE (source)-[fact:RELATES_TO]->(target)
SET fact = row
