MATCH (group:Group {group_id: $group}) REMOVE group.locked
