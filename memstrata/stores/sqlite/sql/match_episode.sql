SELECT id, min(score) AS score FROM (
  SELECT x.id AS id, bm25(episode_words) AS score
  FROM episode_words
  JOIN passages AS p ON p.id = episode_words.rowid
  JOIN episodes AS x ON x.id = p.handle
  WHERE episode_words MATCH :query
    AND (:last IS NULL OR x.reference_time <= :last) AND (:since IS NULL OR x.reference_time >= :since)
    AND ((x.created_at <= :system AND (:history OR x.expired_at > :system)) OR (:pending AND x.expired_at = 4611686018427387905))
  ORDER BY episode_words.rowid DESC LIMIT :most
)
GROUP BY id ORDER BY score, id LIMIT :limit
