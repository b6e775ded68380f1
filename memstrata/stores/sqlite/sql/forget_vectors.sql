DELETE FROM vectors
