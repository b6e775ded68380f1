DELETE FROM check_results
WHERE c = (SELECT c FROM checks WHERE group_id = :group_id AND name = :check)
  AND day <= (
    SELECT max(newest.day)
    FROM check_results AS newest JOIN checks ON checks.c = newest.c
    WHERE checks.group_id = :group_id AND checks.name = :check
  ) - :days
