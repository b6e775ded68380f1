SELECT x.id FROM carray(:some) AS found
CROSS JOIN procedures AS x ON x.id = found.value
WHERE x.created_at <= :system AND (:history OR x.expired_at > :system)
