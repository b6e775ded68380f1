SELECT decision_id FROM decisions WHERE g = :g AND decision_id IN (SELECT value FROM json_each(:ids))
