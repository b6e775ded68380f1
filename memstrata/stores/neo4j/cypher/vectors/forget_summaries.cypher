MATCH (it:Summary) WHERE it.embedding IS NOT NULL
CALL (it) {
  SET it.awaits = it.believed_from
  REMOVE it.embedding
} IN TRANSACTIONS OF 5000 ROWS
