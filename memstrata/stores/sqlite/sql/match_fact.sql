SELECT id, score FROM (
  SELECT x.id AS id, bm25(fact_words) AS score
  FROM fact_words JOIN facts AS x ON x.id = fact_words.rowid
  WHERE fact_words MATCH :query
    AND (:last IS NULL OR (x.valid_at <= :last AND x.invalid_at > :first AND x.invalid_at > x.valid_at))
    AND x.created_at <= :system AND (:history OR x.expired_at > :system)
  ORDER BY fact_words.rowid DESC LIMIT :most
)
ORDER BY score, id LIMIT :limit
