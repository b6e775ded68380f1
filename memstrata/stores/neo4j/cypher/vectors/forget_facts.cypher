MATCH ()-[it:RELATES_TO]->() WHERE it.fact_embedding IS NOT NULL
CALL (it) {
  SET it.awaits = it.believed_from
  REMOVE it.fact_embedding
} IN TRANSACTIONS OF 5000 ROWS
