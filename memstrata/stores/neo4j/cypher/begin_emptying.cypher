MATCH (group:Group {group_id: $group}) SET group.emptying = true
