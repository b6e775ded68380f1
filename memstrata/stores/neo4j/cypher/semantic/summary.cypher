MATCH (summary:Summary {group_id: $group, entity_id: $id})
WHERE summary.believed_until > $at AND summary.believed_from <= $at
RETURN summary.body AS body
