UNWIND $ids AS id
CALL (id) {
  MATCH (placement:Placement {group_id: $group, id: id}) RETURN placement
  UNION ALL
  MATCH (placement:PlacementVersion {group_id: $group, id: id}) WHERE placement.retracted_at > 0 RETURN placement
}
WITH id, placement ORDER BY placement.recorded_at DESC
RETURN id, properties(head(collect(placement))) AS placement
ORDER BY id
