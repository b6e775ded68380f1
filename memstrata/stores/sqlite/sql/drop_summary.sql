DELETE FROM summaries
WHERE group_id = ?1 AND entity_id = ?2 AND expired_at = 4611686018427387904 AND created_at >= ?3 RETURNING id
