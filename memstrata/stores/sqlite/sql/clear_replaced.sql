DELETE FROM replaced_passages WHERE group_key = ?1
