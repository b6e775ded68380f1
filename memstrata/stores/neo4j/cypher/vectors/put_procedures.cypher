UNWIND $rows AS row
MATCH (it:Procedure {handle: row.handle})
USING INDEX SEEK it:Procedure(handle)
CALL db.create.setNodeVectorProperty(it, 'embedding', row.vector)
SET it.awaits = null
RETURN count(*) AS written
