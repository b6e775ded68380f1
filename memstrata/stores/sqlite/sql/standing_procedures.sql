SELECT procedure_id, body FROM procedures WHERE group_id = ?1 AND expired_at = 4611686018427387904
