UNWIND $ids AS id
MATCH (placement:Placement {group_id: $group, predicate: id})
RETURN properties(placement) AS placement
