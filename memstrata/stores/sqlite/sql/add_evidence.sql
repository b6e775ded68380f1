INSERT INTO evidence (fact_id, expired_at, assertion, created_at, group_key) VALUES (?, 4611686018427387904, ?, ?, ?)
