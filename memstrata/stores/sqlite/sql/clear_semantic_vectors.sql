DELETE FROM vectors WHERE group_key = (
  SELECT s.id FROM semantic_groups AS s WHERE s.group_id = ?1
)
