SELECT coalesce(max(seq), 0) FROM commits WHERE g = ?
