CREATE VECTOR INDEX memstrata_procedure_vectors IF NOT EXISTS FOR (it:Procedure) ON (it.embedding)
OPTIONS { indexConfig: { `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false } }
