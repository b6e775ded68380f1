CALL () {
  UNWIND $given.names AS row
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
}
// What is mentioned in an episode is replaced as a whole.
CALL () {
  UNWIND $given.episodes AS episode
  MATCH (mention:Mention)
  USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
  WHERE mention.group_id = $given.group AND mention.episode_id = episode AND mention.mention_id IS NOT NULL
  DELETE mention
}
CALL () {
  UNWIND $given.apart AS row
  MATCH (mention:Mention {group_id: $given.group, episode_id: row[0], mention_id: row[1]})
  USING INDEX SEEK mention:Mention(group_id, episode_id, mention_id)
  DELETE mention
}
CALL () {
  UNWIND $given.mentions AS row
  CREATE (mention:Mention)
  SET mention = row
}
CALL () {
  UNWIND $given.counts AS row
  MATCH (name:Name {group_id: $given.group, signature_id: row.signature})
  USING INDEX SEEK name:Name(group_id, signature_id)
  CALL (row) {
    MATCH (mention:Mention)
    USING INDEX SEEK mention:Mention(group_id, signature_id, reference_time, mention_id)
    WHERE mention.group_id = $given.group AND mention.signature_id = row.signature
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
}
