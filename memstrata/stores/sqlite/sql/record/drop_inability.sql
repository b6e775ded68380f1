-- A check that ran on a day takes away what says that it could not.
DELETE FROM check_results
WHERE ran = 0 AND day = :day AND c IN (SELECT c FROM checks WHERE name = :check)
