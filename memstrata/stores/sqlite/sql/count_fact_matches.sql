SELECT count(*) FROM (SELECT 1 FROM fact_words WHERE fact_words MATCH ?1 LIMIT ?2)
