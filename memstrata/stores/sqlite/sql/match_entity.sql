SELECT id, score FROM (
  SELECT x.id AS id, bm25(entity_words, 1.0, 0.0) AS score
  FROM entity_words JOIN entities AS x ON x.id = entity_words.rowid
  WHERE entity_words MATCH 'words : (' || :query || ')'
    AND x.created_at <= :system AND (:history OR x.expired_at > :system)
  ORDER BY entity_words.rowid DESC LIMIT :most
)
ORDER BY score, id LIMIT :limit
