UNWIND $ids AS id
MATCH (placement:Placement {group_id: $group, episode_id: id})
USING INDEX SEEK placement:Placement(group_id, episode_id)
RETURN properties(placement) AS placement
