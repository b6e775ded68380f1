SHOW INDEXES YIELD name, state, populationPercent
RETURN name, state, populationPercent AS percent
ORDER BY name
