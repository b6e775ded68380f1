UNWIND $ids AS id
MATCH (mention:Mention)
USING INDEX SEEK mention:Mention(group_id, signature_id, reference_time, mention_id)
WHERE mention.group_id = $group AND mention.signature_id = id
  AND mention.reference_time IS NOT NULL AND mention.mention_id IS NOT NULL
WITH DISTINCT mention
MATCH (placement:Placement {group_id: $group, episode_id: mention.episode_id})
USING INDEX SEEK placement:Placement(group_id, episode_id)
WHERE placement.subject_mention = mention.mention_id OR placement.object_mention = mention.mention_id
WITH DISTINCT placement
RETURN properties(placement) AS placement
