CREATE VECTOR INDEX memstrata_entity_vectors IF NOT EXISTS FOR (it:Entity) ON (it.name_embedding)
OPTIONS { indexConfig: { `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false } }
