UPDATE passages SET embedded = 0 WHERE embedded = 1 AND group_key = (
  SELECT s.id FROM semantic_groups AS s WHERE s.group_id = ?1
)
