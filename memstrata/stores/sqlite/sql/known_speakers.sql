SELECT t.text FROM (
  SELECT DISTINCT e.speaker, e.speaker_name FROM episodes AS e
  WHERE e.group_key = ?1 AND e.expired_at >= 4611686018427387904
) AS s
JOIN terms AS t ON t.id IN (s.speaker, s.speaker_name)
WHERE t.text <> ''
