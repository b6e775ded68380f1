UPDATE decisions SET seq = ?, place = ? WHERE decision_id = ? AND g = ?
