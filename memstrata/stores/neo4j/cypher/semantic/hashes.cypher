MATCH (summary:Summary {group_id: $group, believed_until: $open}) WHERE summary.entity_id IS NOT NULL
RETURN summary.entity_id AS id, summary.input_hash AS hash
