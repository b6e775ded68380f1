MATCH ()-[fact:RELATES_TO {group_id: $group}]->()
CALL (fact) {
  DELETE fact
} IN TRANSACTIONS OF 500 ROWS
