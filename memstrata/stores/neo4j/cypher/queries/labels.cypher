// How many nodes of each label that a reader may know; an entity counts under each of its labels.
CALL () {
  MATCH (n:Entity) WHERE n.group_id = $group AND n.uuid IS NOT NULL UNWIND labels(n) AS label RETURN label, count(*) AS count
  UNION ALL
  MATCH (n:Episodic) WHERE n.group_id = $group AND n.uuid IS NOT NULL RETURN 'Episodic' AS label, count(*) AS count
  UNION ALL
  MATCH (n:Saga) WHERE n.group_id = $group AND n.uuid IS NOT NULL RETURN 'Saga' AS label, count(*) AS count
  UNION ALL
  MATCH (n:Community) WHERE n.group_id = $group RETURN 'Community' AS label, count(*) AS count
  UNION ALL
  MATCH (n:Literal) WHERE n.group_id = $group AND n.text IS NOT NULL RETURN 'Literal' AS label, count(*) AS count
  UNION ALL
  MATCH (n:FactVersion) WHERE n.group_id = $group RETURN 'FactVersion' AS label, count(*) AS count
  UNION ALL
  MATCH (n:EntityVersion) WHERE n.group_id = $group RETURN 'EntityVersion' AS label, count(*) AS count
  UNION ALL
  MATCH (n:EpisodicVersion) WHERE n.group_id = $group RETURN 'EpisodicVersion' AS label, count(*) AS count
  UNION ALL
  MATCH (n:Summary) WHERE n.group_id = $group RETURN 'Summary' AS label, count(*) AS count
  UNION ALL
  MATCH (n:Procedure) WHERE n.group_id = $group RETURN 'Procedure' AS label, count(*) AS count
}
WITH label, count WHERE count > 0
RETURN label, count ORDER BY label
