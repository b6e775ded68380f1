UNWIND $ids AS id
MATCH (procedure:Procedure {group_id: $group, procedure_id: id, believed_until: $open})
USING INDEX SEEK procedure:Procedure(group_id, procedure_id, believed_until)
CALL (procedure) {
  WITH procedure WHERE procedure.believed_from < $at
  SET procedure.believed_until = $at
}
CALL (procedure) {
  WITH procedure WHERE procedure.believed_from >= $at
  DETACH DELETE procedure
}
