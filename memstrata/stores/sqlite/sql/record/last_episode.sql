SELECT coalesce(max(n), 0) FROM episodes
