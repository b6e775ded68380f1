UNWIND $rows AS row
MATCH (name:Name {group_id: $group, signature_id: row.signature})
UNWIND row.keys AS text
MERGE (key:NameKey {group_id: $group, key: text})
CREATE (key)-[:OPENS]->(name)
