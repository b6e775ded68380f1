SELECT group_id, seq FROM looked
