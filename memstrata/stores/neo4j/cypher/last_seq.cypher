MATCH (group:Group {group_id: $group}) WHERE group.emptying IS NULL RETURN group.last_seq AS last_seq
