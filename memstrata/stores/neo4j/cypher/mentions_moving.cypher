// The episodes in which names that move now are mentioned.
UNWIND $signatures AS signature
MATCH (mention:Mention)
USING INDEX SEEK mention:Mention(group_id, signature_id, reference_time, mention_id)
WHERE mention.group_id = $group AND mention.signature_id = signature
  AND mention.reference_time IS NOT NULL AND mention.mention_id IS NOT NULL
RETURN DISTINCT mention.episode_id AS episode
