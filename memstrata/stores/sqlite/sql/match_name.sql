SELECT x.id, 0.0 AS score
FROM entity_words JOIN entities AS x ON x.id = entity_words.rowid
WHERE entity_words MATCH 'names : (' || :query || ')' AND x.created_at <= :system AND (:history OR x.expired_at > :system)
ORDER BY x.id LIMIT :limit
