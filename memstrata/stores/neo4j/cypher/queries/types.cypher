// How many relationships of each type, and which labels they join.
CALL () {
  MATCH (a)-[r:RELATES_TO]->(b) WHERE r.group_id = $group
  RETURN 'RELATES_TO' AS type, count(*) AS count, [['Entity', 'Entity'], ['Entity', 'Literal']] AS joins
  UNION ALL
  MATCH (a:Episodic)-[r:MENTIONS]->() WHERE a.group_id = $group AND a.uuid IS NOT NULL
  RETURN 'MENTIONS' AS type, count(*) AS count, [['Episodic', 'Entity']] AS joins
  UNION ALL
  MATCH (a:Saga)-[r:HAS_EPISODE]->() WHERE a.group_id = $group AND a.uuid IS NOT NULL
  RETURN 'HAS_EPISODE' AS type, count(*) AS count, [['Saga', 'Episodic']] AS joins
  UNION ALL
  MATCH (a:Episodic)-[r:NEXT_EPISODE]->() WHERE a.group_id = $group AND a.uuid IS NOT NULL
  RETURN 'NEXT_EPISODE' AS type, count(*) AS count, [['Episodic', 'Episodic']] AS joins
  UNION ALL
  MATCH (a:Community)-[r:HAS_MEMBER]->() WHERE a.group_id = $group
  RETURN 'HAS_MEMBER' AS type, count(*) AS count, [['Community', 'Entity']] AS joins
}
WITH type, count, joins WHERE count > 0
RETURN type, count, joins ORDER BY type
