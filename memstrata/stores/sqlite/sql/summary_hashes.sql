SELECT entity_id, input_hash FROM summaries WHERE group_id = ?1 AND expired_at = 4611686018427387904
