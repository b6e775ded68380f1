SELECT coalesce(max(h), 0) FROM heads
