SELECT group_id FROM groups ORDER BY group_id
