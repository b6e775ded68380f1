UPDATE heads SET retracted = 1, withdrawn = revision, awaiting = 0 WHERE h = ?
