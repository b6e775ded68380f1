DROP INDEX memstrata_entity_vectors IF EXISTS
