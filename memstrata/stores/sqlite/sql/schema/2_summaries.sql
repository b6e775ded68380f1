SELECT id, group_id, body FROM summaries ORDER BY id
