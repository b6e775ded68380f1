SELECT body FROM summaries
WHERE group_id = ?1 AND entity_id = ?2 AND expired_at > ?3 AND created_at <= ?3
ORDER BY expired_at LIMIT 1
