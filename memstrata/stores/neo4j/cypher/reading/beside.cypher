// The nearest turns in scope on both sides; of an earlier system time they may have ended since.
UNWIND $handles AS handle
CALL (handle) {
  MATCH (turn:Episodic {handle: handle}) RETURN turn
  UNION ALL
  MATCH (turn:EpisodicVersion {handle: handle}) RETURN turn
  UNION ALL
  MATCH (turn:PendingEpisode {handle: handle}) RETURN turn
}
WITH handle, turn WHERE turn.group_id IN $groups
CALL (turn) {
  CALL (turn) {
    MATCH (other:Episodic {group_id: turn.group_id, saga: turn.saga})
    WHERE other.turn < turn.turn AND other.uuid <> turn.uuid
      AND other.believed_from <= $system AND other.believed_until > $system
      AND other.valid_from <= $begun AND other.valid_from >= $earliest
    RETURN other ORDER BY other.turn DESC LIMIT 1
    UNION ALL
    MATCH (other:EpisodicVersion {group_id: turn.group_id, saga: turn.saga})
    WHERE other.turn < turn.turn AND other.uuid <> turn.uuid
      AND other.believed_from <= $system AND other.believed_until > $system
      AND other.valid_from <= $begun AND other.valid_from >= $earliest
    RETURN other ORDER BY other.turn DESC LIMIT 1
  }
  WITH other ORDER BY other.turn DESC
  RETURN head(collect(other.handle)) AS before
}
CALL (turn) {
  CALL (turn) {
    MATCH (other:Episodic {group_id: turn.group_id, saga: turn.saga})
    WHERE other.turn > turn.turn AND other.uuid <> turn.uuid
      AND other.believed_from <= $system AND other.believed_until > $system
      AND other.valid_from <= $begun AND other.valid_from >= $earliest
    RETURN other ORDER BY other.turn LIMIT 1
    UNION ALL
    MATCH (other:EpisodicVersion {group_id: turn.group_id, saga: turn.saga})
    WHERE other.turn > turn.turn AND other.uuid <> turn.uuid
      AND other.believed_from <= $system AND other.believed_until > $system
      AND other.valid_from <= $begun AND other.valid_from >= $earliest
    RETURN other ORDER BY other.turn LIMIT 1
  }
  WITH other ORDER BY other.turn
  RETURN head(collect(other.handle)) AS after
}
RETURN handle, turn:PendingEpisode AS pending, before, after
