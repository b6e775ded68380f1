UNWIND $handles AS handle
MATCH (it:Summary {handle: handle})
RETURN handle, it.body AS body
