DELETE FROM waiting WHERE group_id = ? AND about = ?
