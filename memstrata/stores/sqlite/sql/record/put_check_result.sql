INSERT OR REPLACE INTO check_results (c, day, at, severity, ran, passed, value, threshold, sentence, details)
SELECT c, :day, :at, :severity, :ran, :passed, :value, :threshold, :sentence, :details
FROM checks WHERE group_id = :group_id AND name = :check
