UPDATE heads SET retracted = 1, awaiting = 0 WHERE h = ?
