-- A procedure passes if one of its evidence does.
SELECT x.id FROM carray(:some) AS found
CROSS JOIN procedures AS x ON x.id = found.value
WHERE EXISTS (
  SELECT 1 FROM json_each(x.body, '$.evidence') AS one
  JOIN terms AS t ON t.group_key = :group_key AND t.text = one.value
  JOIN episodes AS e ON e.episode = t.id
  WHERE e.created_at <= :system AND (:history OR e.expired_at > :system)
    AND (:sources IS NULL OR e.source IN (SELECT value FROM json_each(:sources)))
    AND (:speakers IS NULL
      OR e.speaker IN (SELECT value FROM json_each(:speakers))
      OR e.speaker_name IN (SELECT value FROM json_each(:speakers)))
)
