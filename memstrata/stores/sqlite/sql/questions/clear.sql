DELETE FROM waiting WHERE group_id = ?
