SELECT DISTINCT group_id FROM waiting WHERE tries < ?
