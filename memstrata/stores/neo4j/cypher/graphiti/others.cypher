MATCH (n:Community) WHERE n.group_id = $group
RETURN 'Community' AS label, count(n) AS count
