UNWIND $ids AS id
MERGE (:Unnamed {group_id: $group, uuid: id})
