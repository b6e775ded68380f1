SELECT id, score FROM (
  SELECT x.id AS id, bm25(procedure_words) AS score
  FROM procedure_words JOIN procedures AS x ON x.id = procedure_words.rowid
  WHERE procedure_words MATCH :query AND x.created_at <= :system AND (:history OR x.expired_at > :system)
  ORDER BY procedure_words.rowid DESC LIMIT :most
)
ORDER BY score, id LIMIT :limit
