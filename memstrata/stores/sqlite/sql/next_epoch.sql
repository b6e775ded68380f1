INSERT INTO settings (name, value) VALUES ('vector_epoch', '1')
ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1
