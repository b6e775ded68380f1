INSERT INTO mentions (episode, mention, name, reference_time) VALUES (?, ?, ?, ?)
