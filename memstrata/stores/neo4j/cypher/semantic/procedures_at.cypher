UNWIND $handles AS handle
MATCH (it:Procedure {handle: handle})
USING INDEX SEEK it:Procedure(handle)
RETURN handle, it.body AS body
