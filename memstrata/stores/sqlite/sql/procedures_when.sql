SELECT body FROM procedures WHERE group_id = ?1 AND expired_at > ?2 AND created_at <= ?2
