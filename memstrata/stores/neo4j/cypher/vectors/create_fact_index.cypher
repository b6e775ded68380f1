CREATE VECTOR INDEX memstrata_fact_vectors IF NOT EXISTS FOR ()-[it:RELATES_TO]-() ON (it.fact_embedding)
OPTIONS { indexConfig: { `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false } }
