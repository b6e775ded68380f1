MATCH (group:Group {group_id: $given.group})
SET group.last_seq = $given.seq, group.last_instant = $given.now, group.last_write = $given.write
REMOVE group.locked
