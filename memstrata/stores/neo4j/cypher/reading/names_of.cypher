UNWIND $ids AS id
OPTIONAL MATCH (now:Entity {group_id: $group, uuid: id})
CALL (id) {
  OPTIONAL MATCH (ended:EntityVersion {group_id: $group, uuid: id}) WHERE ended.believed_until > 0
  RETURN ended.name AS past ORDER BY ended.believed_until DESC LIMIT 1
}
WITH id, coalesce(now.name, past) AS name WHERE name IS NOT NULL
RETURN id, name
