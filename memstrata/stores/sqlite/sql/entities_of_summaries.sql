SELECT s.id, e.id FROM carray(:some) AS found
CROSS JOIN summaries AS s ON s.id = found.value
CROSS JOIN terms AS t ON t.group_key = :group_key AND t.text = s.entity_id
CROSS JOIN entities AS e ON e.entity = t.id
WHERE e.created_at <= :system AND (:history OR e.expired_at > :system)
