UNWIND $ids AS id
MATCH (placement:Placement {group_id: $group, predicate: id})
USING INDEX SEEK placement:Placement(group_id, predicate)
RETURN properties(placement) AS placement
