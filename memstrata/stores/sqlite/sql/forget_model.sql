DELETE FROM settings WHERE name = 'vector_model'
