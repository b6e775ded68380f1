SELECT entity, id, passage, name, type, aliases FROM entities
WHERE entity = ?1 AND expired_at = 4611686018427387904
