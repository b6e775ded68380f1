SELECT id, score FROM (
  SELECT x.id AS id, bm25(summary_words) AS score
  FROM summary_words JOIN summaries AS x ON x.id = summary_words.rowid
  WHERE summary_words MATCH :query AND x.created_at <= :system AND (:history OR x.expired_at > :system)
  ORDER BY summary_words.rowid DESC LIMIT :most
)
ORDER BY score, id LIMIT :limit
