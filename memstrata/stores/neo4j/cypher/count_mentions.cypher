UNWIND $rows AS row
MATCH (name:Name {group_id: $group, signature_id: row.signature})
CALL (row) {
  MATCH (mention:Mention)
  USING INDEX SEEK mention:Mention(group_id, signature_id, reference_time, mention_id)
  WHERE mention.group_id = $group AND mention.signature_id = row.signature
    AND mention.reference_time IS NOT NULL AND mention.mention_id IS NOT NULL
  RETURN mention
  ORDER BY mention.group_id, mention.signature_id, mention.reference_time, mention.mention_id
  LIMIT 1
  UNION ALL
  RETURN null AS mention
}
WITH row, name, collect(mention)[0] AS first
SET name.mentions = name.mentions + row.more, name.first_at = first.reference_time,
  name.first_mention = first.mention_id, name.first_episode = first.episode_id
