UNWIND $handles AS handle
CALL (handle) {
  MATCH ()-[fact:RELATES_TO {handle: handle}]->() RETURN fact.fact_embedding AS vector
  UNION ALL
  MATCH (fact:FactVersion {handle: handle}) RETURN fact.fact_embedding AS vector
}
WITH handle, vector WHERE vector IS NOT NULL
RETURN handle, vector
