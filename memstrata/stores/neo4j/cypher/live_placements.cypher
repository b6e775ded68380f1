MATCH (placement:Placement)
WHERE placement.group_id = $group AND placement.id IS NOT NULL
RETURN properties(placement) AS placement
