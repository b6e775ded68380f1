MATCH (it:EntityVersion) WHERE it.name_embedding IS NOT NULL
CALL (it) {
  SET it.awaits = it.believed_from
  REMOVE it.name_embedding
} IN TRANSACTIONS OF 5000 ROWS
