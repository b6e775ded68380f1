// A node of the group that Memstrata did not write: it gives each of its own a handle.
CALL () {
  MATCH (n:Entity) WHERE n.group_id = $group AND n.uuid IS NOT NULL AND n.handle IS NULL
  RETURN n.uuid AS uuid LIMIT 1
  UNION ALL
  MATCH (n:Episodic) WHERE n.group_id = $group AND n.uuid IS NOT NULL AND n.handle IS NULL
  RETURN n.uuid AS uuid LIMIT 1
}
RETURN uuid LIMIT 1
