MATCH (procedure:Procedure {group_id: $group, believed_until: $open}) WHERE procedure.procedure_id IS NOT NULL
RETURN procedure.procedure_id AS id, procedure.body AS body
