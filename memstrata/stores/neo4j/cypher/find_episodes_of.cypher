UNWIND $ids AS id
MATCH (placement:Placement {group_id: $group, id: id})
RETURN id, placement.episode_id AS episode
