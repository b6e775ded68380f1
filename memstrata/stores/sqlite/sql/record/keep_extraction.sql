INSERT INTO extractions (h, revision, context_hash, version, body) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (h, revision, context_hash, version) DO UPDATE SET body = coalesce(body, excluded.body)
