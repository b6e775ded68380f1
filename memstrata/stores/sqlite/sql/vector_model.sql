SELECT value FROM settings WHERE name = 'vector_model' AND EXISTS (SELECT 1 FROM vectors)
