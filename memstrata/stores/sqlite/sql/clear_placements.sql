DELETE FROM placements WHERE group_key = ?1
