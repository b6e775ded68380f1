// What nothing else of the commit looks for; and the group goes on to the next.
CALL () {
  UNWIND $given.placements AS row
  CREATE (placement:Placement)
  SET placement = row
}
CALL () {
  MATCH (group:Group {group_id: $given.group})
  SET group.last_seq = $given.seq, group.last_instant = $given.now, group.last_write = $given.write
  REMOVE group.locked
}
