SELECT body FROM commits WHERE g = ? AND seq = ?
