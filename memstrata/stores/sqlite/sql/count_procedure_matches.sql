SELECT count(*) FROM (SELECT 1 FROM procedure_words WHERE procedure_words MATCH ?1 LIMIT ?2)
