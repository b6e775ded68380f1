MATCH (group:Group)
WHERE group.emptying IS NULL
WITH group, group.group_id AS id
RETURN id, group.last_seq AS last_seq,
  COUNT { MATCH (n:Episodic) WHERE n.group_id = id AND n.uuid IS NOT NULL } AS episodes,
  COUNT { MATCH (n:PendingEpisode) WHERE n.group_id = id AND n.uuid IS NOT NULL } AS pending_episodes,
  COUNT { MATCH (n:Entity) WHERE n.group_id = id AND n.uuid IS NOT NULL } AS entities,
  COUNT { MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = id AND r.believed_from IS NOT NULL } AS related,
  COUNT { MATCH (n:FactVersion) WHERE n.group_id = id AND n.believed_until = $open } AS contested,
  COUNT { MATCH (n:FactVersion) WHERE n.group_id = id AND n.believed_until < $open } AS ended,
  COUNT { MATCH (n:Placement) WHERE n.group_id = id AND n.id IS NOT NULL } AS placements
ORDER BY id
