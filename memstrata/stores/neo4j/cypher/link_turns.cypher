// For each place in a saga where a turn came or went: the turns before it, at it and after it are neighbours.
UNWIND $given.rows AS row
OPTIONAL MATCH (here:Episodic {group_id: $given.group, saga: row.saga, turn: row.turn})
  USING INDEX SEEK here:Episodic(group_id, saga, turn)
CALL (row) {
  MATCH (before:Episodic)
  USING INDEX SEEK before:Episodic(group_id, saga, turn)
  WHERE before.group_id = $given.group AND before.saga = row.saga AND before.turn < row.turn
  RETURN before ORDER BY before.group_id DESC, before.saga DESC, before.turn DESC LIMIT 1
  UNION ALL
  RETURN null AS before
}
WITH row, here, collect(before)[0] AS before
CALL (row) {
  MATCH (after:Episodic)
  USING INDEX SEEK after:Episodic(group_id, saga, turn)
  WHERE after.group_id = $given.group AND after.saga = row.saga AND after.turn > row.turn
  RETURN after ORDER BY after.group_id, after.saga, after.turn LIMIT 1
  UNION ALL
  RETURN null AS after
}
WITH here, before, collect(after)[0] AS after
CALL (here, before, after) {
  UNWIND [before, here, after] AS turn
  MATCH (turn)-[old:NEXT_EPISODE]-(other)
  WHERE other IN [before, here, after]
  DELETE old
}
WITH [turn IN [before, here, after] WHERE turn IS NOT NULL] AS turns
UNWIND range(0, size(turns) - 2) AS n
WITH turns[n] AS earlier, turns[n + 1] AS later
MERGE (earlier)-[next:NEXT_EPISODE]->(later)
  ON CREATE SET next.uuid = earlier.uuid + '>' + later.uuid, next.group_id = $given.group, next.created_at = $given.instant
