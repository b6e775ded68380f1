UNWIND $handles AS handle
MATCH (it:Summary {handle: handle})
USING INDEX SEEK it:Summary(handle)
RETURN handle, it.body AS body
