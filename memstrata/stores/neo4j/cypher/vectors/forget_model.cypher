MATCH (model:Memstrata {name: 'vectors'}) DELETE model
