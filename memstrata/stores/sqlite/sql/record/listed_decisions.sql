SELECT d, seq, body FROM decisions WHERE g = :g AND d < :before ORDER BY d DESC LIMIT :limit
