MATCH (group:Group {group_id: $group}) DELETE group
