SELECT p.handle, p.place, p.id, coalesce(p.text, CASE
  WHEN e.speaker_name IS NULL THEN e.content
  ELSE (SELECT t.text FROM terms AS t WHERE t.id = e.speaker_name) || ': ' || e.content
END), p.embedded
FROM carray(?1) AS wanted
CROSS JOIN passages AS p ON p.handle = wanted.value AND p.subject = 'episode' AND p.place >= 0
CROSS JOIN episodes AS e ON e.id = p.handle
