// Properties of a sample of each relationship type, with the types of their values and a few of these.
CALL () {
  MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = $group RETURN 'RELATES_TO' AS type, r LIMIT $sample
  UNION ALL
  MATCH (a:Episodic)-[r:MENTIONS]->() WHERE a.group_id = $group AND a.uuid IS NOT NULL RETURN 'MENTIONS' AS type, r LIMIT $sample
  UNION ALL
  MATCH (a:Saga)-[r:HAS_EPISODE]->() WHERE a.group_id = $group AND a.uuid IS NOT NULL RETURN 'HAS_EPISODE' AS type, r LIMIT $sample
  UNION ALL
  MATCH (a:Episodic)-[r:NEXT_EPISODE]->() WHERE a.group_id = $group AND a.uuid IS NOT NULL RETURN 'NEXT_EPISODE' AS type, r LIMIT $sample
  UNION ALL
  MATCH (a:Community)-[r:HAS_MEMBER]->() WHERE a.group_id = $group RETURN 'HAS_MEMBER' AS type, r LIMIT $sample
}
UNWIND [key IN keys(r) WHERE NOT key IN $hidden] AS key
WITH type, key, r[key] AS value
RETURN type AS kind, key, count(*) AS count, collect(DISTINCT valueType(value)) AS types,
  collect(DISTINCT left(toStringOrNull(value), $length))[..$samples] AS samples
ORDER BY kind, count DESC, key
