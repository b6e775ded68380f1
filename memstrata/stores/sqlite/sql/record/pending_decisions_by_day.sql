SELECT body FROM decisions WHERE g = :g AND seq IS NULL AND day = :day ORDER BY d
