CREATE VECTOR INDEX memstrata_summary_vectors IF NOT EXISTS FOR (it:Summary) ON (it.embedding)
OPTIONS { indexConfig: { `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false } }
