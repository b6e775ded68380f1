SELECT count(*) FROM (SELECT 1 FROM entity_words WHERE entity_words MATCH ?1 LIMIT ?2)
