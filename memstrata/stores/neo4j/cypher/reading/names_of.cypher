UNWIND $ids AS id
OPTIONAL MATCH (now:Entity {group_id: $group, uuid: id})
CALL (id) {
  OPTIONAL MATCH (past:EntityVersion {group_id: $group, uuid: id}) WHERE past.believed_until > 0
  RETURN past.name AS past ORDER BY past.believed_until DESC LIMIT 1
}
WITH id, coalesce(now.name, past) AS name WHERE name IS NOT NULL
RETURN id, name
