DROP INDEX memstrata_summary_vectors IF EXISTS
