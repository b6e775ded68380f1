UPDATE heads SET dead = 0, awaiting = iif(asked > 0, asked, (SELECT value FROM counters WHERE name = 'number'))
WHERE episode_id = :episode_id AND g = :g AND dead = 1
RETURNING h
