SELECT passage FROM replaced_passages WHERE group_key = ?1 AND replaced_at > ?2
