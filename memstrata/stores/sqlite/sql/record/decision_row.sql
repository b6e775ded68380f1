SELECT d FROM decisions WHERE decision_id = :decision_id AND g = :g
