SELECT DISTINCT m.key FROM episodes AS e, json_each(e.record, '$[9]') AS m
WHERE e.group_key = ?1 AND e.expired_at >= 4611686018427387904
  AND NOT (m.type = 'array' AND json_array_length(m.value) = 0)
