MATCH (schema:Memstrata {name: 'schema'}) RETURN schema.version AS version
