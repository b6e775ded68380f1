MATCH (group:Group {group_id: $group})
SET group.last_seq = $seq, group.last_instant = $now, group.last_write = $write
REMOVE group.locked
