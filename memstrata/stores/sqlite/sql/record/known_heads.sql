SELECT h, episode_id, revision, content_hash, withdrawn, saga, position, reference
FROM heads WHERE g = :g AND episode_id IN (SELECT value FROM json_each(:ids))
