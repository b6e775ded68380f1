RETURN EXISTS { ()-[:RELATES_TO {group_id: $group, uuid: $id}]->() }
  OR EXISTS { (:FactVersion {group_id: $group, uuid: $id, believed_until: $open}) }
  OR EXISTS { (:Entity {group_id: $group, uuid: $id}) } AS living,
  head(COLLECT {
    MATCH (last:FactVersion {group_id: $group, uuid: $id}) WHERE last.believed_until > 0
    RETURN last.evidence ORDER BY last.believed_until DESC LIMIT 1
  }) AS evidence
