MATCH (placement:Placement)
WHERE placement.group_id = $group AND placement.id IS NOT NULL
RETURN properties(placement) AS placement
UNION ALL
MATCH (placement:PlacementVersion)
WHERE placement.group_id = $group AND placement.id IS NOT NULL AND placement.retracted_at IS NOT NULL
RETURN properties(placement) AS placement
