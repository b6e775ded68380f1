SELECT e.id, e.group_key, iif(e.expired_at > 4611686018427387904, NULL, e.saga), e.position,
  e.reference_time, t.text
FROM carray(?1) AS found
CROSS JOIN episodes AS e ON e.id = found.value
CROSS JOIN terms AS t ON t.id = e.episode
