SELECT body FROM decisions WHERE g = :g AND seq IS NULL ORDER BY d
