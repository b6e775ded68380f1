UPDATE waiting SET tries = tries + 1 WHERE group_id = ? AND about = ?
