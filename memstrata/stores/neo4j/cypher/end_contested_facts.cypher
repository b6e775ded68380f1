UNWIND $given.ids AS id
MATCH (fact:FactVersion {group_id: $given.group, uuid: id, believed_until: $given.open})
USING INDEX SEEK fact:FactVersion(group_id, uuid, believed_until)
SET fact.believed_until = $given.now, fact.expired_at = $given.instant
