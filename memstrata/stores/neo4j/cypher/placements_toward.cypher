UNWIND $keys AS key
MATCH (placement:Placement {group_id: $group, object: key[0], predicate: key[1]})
USING INDEX SEEK placement:Placement(group_id, object, predicate)
RETURN properties(placement) AS placement
