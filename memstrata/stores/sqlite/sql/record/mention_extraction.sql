INSERT OR IGNORE INTO extractions (h, revision, context_hash, version)
SELECT h, :revision, :context_hash, :version FROM heads WHERE episode_id = :episode_id AND g = :g
