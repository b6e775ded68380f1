UNWIND $keys AS key
MATCH (placement:Placement {group_id: $group, subject: key[0], predicate: key[1]})
RETURN properties(placement) AS placement
