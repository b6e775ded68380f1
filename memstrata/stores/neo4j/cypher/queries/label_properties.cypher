// Properties of a sample of each label, with the types of their values and a few of these.
CALL () {
  MATCH (n:Entity) WHERE n.group_id = $group AND n.uuid IS NOT NULL WITH n LIMIT $sample UNWIND labels(n) AS label RETURN label, n
  UNION ALL
  MATCH (n:Episodic) WHERE n.group_id = $group AND n.uuid IS NOT NULL RETURN 'Episodic' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:Saga) WHERE n.group_id = $group AND n.uuid IS NOT NULL RETURN 'Saga' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:Community) WHERE n.group_id = $group RETURN 'Community' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:Literal) WHERE n.group_id = $group AND n.text IS NOT NULL RETURN 'Literal' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:FactVersion) WHERE n.group_id = $group RETURN 'FactVersion' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:EntityVersion) WHERE n.group_id = $group RETURN 'EntityVersion' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:EpisodicVersion) WHERE n.group_id = $group RETURN 'EpisodicVersion' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:Summary) WHERE n.group_id = $group RETURN 'Summary' AS label, n LIMIT $sample
  UNION ALL
  MATCH (n:Procedure) WHERE n.group_id = $group RETURN 'Procedure' AS label, n LIMIT $sample
}
UNWIND [key IN keys(n) WHERE NOT key IN $hidden] AS key
WITH label, key, n[key] AS value
RETURN label AS kind, key, count(*) AS count, collect(DISTINCT valueType(value)) AS types,
  collect(DISTINCT left(toStringOrNull(value), $length))[..$samples] AS samples
ORDER BY kind, count DESC, key
