SELECT d, seq, body FROM decisions INDEXED BY decisions_by_group WHERE g = :g AND d < :before ORDER BY d DESC LIMIT :limit
