SELECT name, group_id, day, at, severity, ran, passed, value, threshold, sentence, details
FROM checks JOIN check_results USING (c)
WHERE group_id IN (SELECT value FROM json_each(:groups))
  AND day = (SELECT max(each.day) FROM check_results AS each WHERE each.c = checks.c)
ORDER BY name, group_id
