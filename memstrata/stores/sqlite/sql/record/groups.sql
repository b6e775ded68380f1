SELECT group_id FROM groups WHERE g IN (SELECT g FROM heads) OR g IN (SELECT g FROM decisions) ORDER BY group_id
