INSERT INTO spool_read (stem, bytes) VALUES (?, ?) ON CONFLICT (stem) DO UPDATE SET bytes = max(bytes, excluded.bytes)
