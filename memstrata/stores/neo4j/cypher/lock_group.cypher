// Setting a property takes the lock; what is read after that is what the last commit left.
MERGE (group:Group {group_id: $group})
  ON CREATE SET group.last_seq = 0, group.last_instant = $always
SET group.locked = true
WITH group
RETURN group.last_seq AS last_seq, group.last_instant AS last_instant, group.last_write AS last_write,
  coalesce(group.emptying, false) AS emptying
