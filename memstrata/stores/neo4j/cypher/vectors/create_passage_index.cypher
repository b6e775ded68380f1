CREATE VECTOR INDEX memstrata_passage_vectors IF NOT EXISTS FOR (it:Passage) ON (it.embedding)
OPTIONS { indexConfig: { `vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false } }
