MATCH (model:Memstrata {name: 'vectors'})
RETURN model.model AS name, model.dimension AS dimension, model.engine AS engine
