MATCH (node:$($label))
WHERE node.group_id = $group
CALL (node) {
  DETACH DELETE node
} IN TRANSACTIONS OF 500 ROWS
