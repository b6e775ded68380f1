UNWIND $rows AS row
MATCH (name:Name {group_id: $group, signature_id: row.signature})<-[opens:OPENS]-(key:NameKey)
WHERE key.key IN row.keys
DELETE opens
