// The relations of the memory: what facts are named, how often, and one of them.
MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = $group
RETURN r.name AS name, count(*) AS count, min(r.fact) AS example
ORDER BY count DESC, name
