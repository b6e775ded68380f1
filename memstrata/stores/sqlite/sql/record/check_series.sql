SELECT name, group_id, day, at, severity, ran, passed, value, threshold, sentence, details
FROM checks JOIN check_results USING (c)
WHERE group_id IN (SELECT value FROM json_each(:groups))
  AND (:check IS NULL OR name = :check)
  AND day BETWEEN :since AND :until
ORDER BY name, group_id, day
