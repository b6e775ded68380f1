UNWIND $ids AS id
CALL (id) {
  MATCH (mention:Mention)
  USING INDEX SEEK mention:Mention(group_id, signature_id, reference_time, mention_id)
  WHERE mention.group_id = $group AND mention.signature_id = id
    AND mention.reference_time IS NOT NULL AND mention.mention_id IS NOT NULL
    AND NOT mention.episode_id IN $without
  RETURN mention
  ORDER BY mention.group_id, mention.signature_id, mention.reference_time, mention.mention_id
  LIMIT 1
}
RETURN id, mention.reference_time AS first_at, mention.mention_id AS first_mention,
  mention.episode_id AS first_episode
