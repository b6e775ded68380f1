// Whoever comes second waits for the first here, and finds its model.
MERGE (model:Memstrata {name: 'vectors'})
ON CREATE SET model.model = $model, model.dimension = $dimension, model.engine = $engine
RETURN model.model AS name, model.dimension AS dimension, model.engine AS engine
