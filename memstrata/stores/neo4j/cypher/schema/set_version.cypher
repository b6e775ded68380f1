MERGE (schema:Memstrata {name: 'schema'}) SET schema.version = $version
