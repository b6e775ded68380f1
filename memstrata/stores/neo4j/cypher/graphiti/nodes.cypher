MATCH (n:Entity) WHERE n.group_id = $group
RETURN n.uuid AS uuid, n.name AS name, labels(n) AS labels
ORDER BY uuid
