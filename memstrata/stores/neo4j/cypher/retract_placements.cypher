UNWIND $given.ids AS id
MATCH (placement:Placement {group_id: $given.group, id: id})
USING INDEX SEEK placement:Placement(group_id, id)
REMOVE placement:Placement
SET placement:PlacementVersion, placement.retracted_at = $given.now
RETURN count(*) AS retracted
