UNWIND $keys AS key
MATCH (placement:Placement {group_id: $group, subject: key[0], predicate: key[1]})
USING INDEX SEEK placement:Placement(group_id, subject, predicate)
RETURN properties(placement) AS placement
