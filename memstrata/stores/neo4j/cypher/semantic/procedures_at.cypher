UNWIND $handles AS handle
MATCH (it:Procedure {handle: handle})
RETURN handle, it.body AS body
