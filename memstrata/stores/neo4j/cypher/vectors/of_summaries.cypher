UNWIND $handles AS handle
MATCH (it:Summary {handle: handle}) WHERE it.embedding IS NOT NULL
RETURN handle, it.embedding AS vector
