UPDATE counters SET value = max(value, ?) + 1 WHERE name = 'number' RETURNING value
