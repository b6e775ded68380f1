UNWIND $ids AS id
MATCH (placement:Placement {group_id: $group, episode_id: id})
RETURN properties(placement) AS placement
