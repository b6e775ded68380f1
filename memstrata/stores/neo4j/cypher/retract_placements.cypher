UNWIND $ids AS id
MATCH (placement:Placement {group_id: $group, id: id})
REMOVE placement:Placement
SET placement:PlacementVersion, placement.retracted_at = $now
RETURN count(*) AS retracted
