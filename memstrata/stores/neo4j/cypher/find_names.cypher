UNWIND $signatures AS signature
MATCH (name:Name {group_id: $group, signature_id: signature})
RETURN signature, name.entity_id AS entity, name.keys AS keys, name.stood_for AS stood_for
