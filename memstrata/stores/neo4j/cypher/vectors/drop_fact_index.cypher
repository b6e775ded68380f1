DROP INDEX memstrata_fact_vectors IF EXISTS
