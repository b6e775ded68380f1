UNWIND $given.rows AS row
MERGE (name:Name {group_id: $given.group, signature_id: row.signature})
  ON CREATE SET name.mentions = 0
SET name += row.properties
WITH name, row
CALL (name, row) {
  UNWIND row.keys_new AS text
  MERGE (key:NameKey {group_id: $given.group, key: text})
  CREATE (key)-[:OPENS]->(name)
}
CALL (name, row) {
  UNWIND row.keys_gone AS text
  MATCH (name)<-[opens:OPENS]-(:NameKey {group_id: $given.group, key: text})
  DELETE opens
}
