SELECT episode, id, revision, content_hash, record, expired_at, passage FROM episodes
WHERE episode = ?1 AND expired_at >= 4611686018427387904
