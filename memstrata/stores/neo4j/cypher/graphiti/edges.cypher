MATCH (a:Entity)-[e:RELATES_TO]->(b:Entity) WHERE e.group_id = $group
RETURN e.uuid AS uuid, a.uuid AS source, b.uuid AS target, e.name AS name, e.fact AS fact,
  coalesce(e.episodes, []) AS episodes, e.created_at AS created_at, e.valid_at AS valid_at,
  e.invalid_at AS invalid_at, e.expired_at AS expired_at, e.reference_time AS reference_time
ORDER BY uuid
