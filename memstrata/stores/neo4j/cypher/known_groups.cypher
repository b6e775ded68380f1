MATCH (group:Group) RETURN group.group_id AS group ORDER BY group
