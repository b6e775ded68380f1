UNWIND $handles AS handle
MATCH (it:Procedure {handle: handle}) WHERE it.embedding IS NOT NULL
RETURN handle, it.embedding AS vector
