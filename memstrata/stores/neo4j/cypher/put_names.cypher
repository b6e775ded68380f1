UNWIND $rows AS row
MERGE (name:Name {group_id: $group, signature_id: row.signature})
  ON CREATE SET name.mentions = 0
SET name += row.properties
