MATCH (n:Episodic|Entity) RETURN DISTINCT n.group_id AS group_id ORDER BY group_id LIMIT 20
