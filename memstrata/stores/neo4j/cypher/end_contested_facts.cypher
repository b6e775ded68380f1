UNWIND $given.ids AS id
MATCH (fact:FactVersion {group_id: $given.group, uuid: id, believed_until: $given.open})
SET fact.believed_until = $given.now, fact.expired_at = $given.instant
