SELECT body FROM replies WHERE key = ?
