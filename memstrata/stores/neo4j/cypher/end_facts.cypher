UNWIND $given.ids AS id
MATCH ()-[fact:RELATES_TO {group_id: $given.group, uuid: id}]->(end)
  USING INDEX SEEK fact:RELATES_TO(group_id, uuid)
CREATE (version:FactVersion)
SET version = properties(fact), version.believed_until = $given.now, version.expired_at = $given.instant
DELETE fact
WITH DISTINCT end
WHERE (end:Literal OR end:Unnamed) AND NOT EXISTS { (end)-[:RELATES_TO]-() }
DELETE end
