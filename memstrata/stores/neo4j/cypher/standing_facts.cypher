UNWIND $ids AS id
MATCH ()-[fact:RELATES_TO {group_id: $group, uuid: id}]->()
  USING INDEX SEEK fact:RELATES_TO(group_id, uuid)
RETURN id, false AS beside, fact.fact AS text, fact.passage AS passage, fact.handle AS handle, fact.awaits AS awaits,
  fact.evidence AS evidence, fact.evidence_in AS evidence_in
UNION ALL
UNWIND $ids AS id
MATCH (fact:FactVersion {group_id: $group, uuid: id, believed_until: $open})
RETURN id, true AS beside, fact.fact AS text, fact.passage AS passage, fact.handle AS handle, fact.awaits AS awaits,
  fact.evidence AS evidence, fact.evidence_in AS evidence_in
