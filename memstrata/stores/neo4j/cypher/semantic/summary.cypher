MATCH (summary:Summary {group_id: $group, entity_id: $id})
USING INDEX SEEK summary:Summary(group_id, entity_id, believed_until)
WHERE summary.believed_until > $at AND summary.believed_from <= $at
RETURN summary.body AS body
