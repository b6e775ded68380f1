DROP INDEX memstrata_passage_vectors IF EXISTS
