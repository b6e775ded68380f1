SELECT value FROM counters WHERE name = 'number'
