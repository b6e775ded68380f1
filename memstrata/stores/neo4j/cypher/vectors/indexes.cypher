SHOW VECTOR INDEXES YIELD name, state, populationPercent, options
WHERE name STARTS WITH 'memstrata_'
RETURN name, state, populationPercent AS percent, options.indexConfig['vector.dimensions'] AS dimension
