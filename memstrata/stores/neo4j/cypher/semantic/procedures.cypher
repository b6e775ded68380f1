MATCH (procedure:Procedure {group_id: $group})
WHERE procedure.procedure_id IS NOT NULL AND procedure.believed_until > $at AND procedure.believed_from <= $at
RETURN procedure.body AS body
