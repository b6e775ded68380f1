UNWIND $places AS place
CALL (place) {
  MATCH (turn:Episodic)
  USING INDEX SEEK turn:Episodic(group_id, saga, turn)
  WHERE turn.group_id = $group AND turn.saga = place[0] AND turn.turn < place[1] AND NOT turn.uuid IN $without
  RETURN turn ORDER BY turn.group_id DESC, turn.saga DESC, turn.turn DESC LIMIT $reach
  UNION ALL
  MATCH (turn:Episodic)
  USING INDEX SEEK turn:Episodic(group_id, saga, turn)
  WHERE turn.group_id = $group AND turn.saga = place[0] AND turn.turn > place[1] AND NOT turn.uuid IN $without
  RETURN turn ORDER BY turn.group_id, turn.saga, turn.turn LIMIT $reach
}
WITH DISTINCT turn
RETURN turn {.group_id, .uuid, .revision, .valid_from, .content_hash, .content, .record} AS episode
