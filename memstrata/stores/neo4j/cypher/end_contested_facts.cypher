UNWIND $ids AS id
MATCH (fact:FactVersion {group_id: $group, uuid: id, believed_until: $open})
SET fact.believed_until = $now, fact.expired_at = $instant
