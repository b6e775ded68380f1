MATCH (group:Group) WHERE group.emptying IS NULL RETURN group.group_id AS group ORDER BY group
