UNWIND $rows AS row
MATCH (it:Summary {handle: row.handle})
USING INDEX SEEK it:Summary(handle)
CALL db.create.setNodeVectorProperty(it, 'embedding', row.vector)
SET it.awaits = null
RETURN count(*) AS written
