SELECT seq, body FROM commits WHERE g = :g AND seq > :after ORDER BY seq LIMIT :limit
