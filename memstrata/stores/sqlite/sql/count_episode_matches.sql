SELECT count(*) FROM (SELECT 1 FROM episode_words WHERE episode_words MATCH ?1 LIMIT ?2)
