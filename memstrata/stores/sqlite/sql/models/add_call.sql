INSERT INTO calls (at, day, group_id, episode_id, stage, version, model, calls, input_tokens, output_tokens, cached_tokens, retries, seconds, failed)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
