UNWIND $given.ids AS id
MERGE (:Unnamed {group_id: $given.group, uuid: id})
