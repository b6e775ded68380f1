SELECT count(*) FROM (SELECT 1 FROM summary_words WHERE summary_words MATCH ?1 LIMIT ?2)
