SELECT p.id, coalesce(p.text, CASE
  WHEN e.speaker_name IS NULL THEN e.content
  ELSE (SELECT t.text FROM terms AS t WHERE t.id = e.speaker_name) || ': ' || e.content
END)
FROM passages AS p JOIN episodes AS e ON e.id = p.handle
WHERE p.subject = 'episode' AND p.embedded = 0 ORDER BY p.since, p.id LIMIT ?1
