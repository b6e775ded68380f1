// Versions that read alike share a vector, and count once.
CALL () {
  MATCH ()-[fact:RELATES_TO]->()
  WHERE fact.awaits IS NOT NULL
  RETURN fact.group_id AS id, fact.passage AS passage
  UNION
  MATCH (fact:FactVersion)
  WHERE fact.awaits IS NOT NULL
  RETURN fact.group_id AS id, fact.passage AS passage
}
RETURN id, count(*) AS waiting
