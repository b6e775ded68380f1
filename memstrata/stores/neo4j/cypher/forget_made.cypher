// What consolidation made stays when a group is emptied, without its vectors.
MATCH (it:Summary|Procedure)
WHERE it.group_id = $group AND it.embedding IS NOT NULL
SET it.awaits = it.believed_from
REMOVE it.embedding
