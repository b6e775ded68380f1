SELECT j.value FROM json_each(:sagas) AS j
WHERE EXISTS (SELECT 1 FROM heads WHERE g = :g AND saga = j.value AND retracted = 0)
