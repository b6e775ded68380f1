UNWIND $rows AS row
MATCH (mention:Mention {group_id: $group, episode_id: row.episode_id, mention_id: row.mention_id})
WITH mention, mention.signature_id AS signature
DELETE mention
RETURN signature, count(*) AS gone
