INSERT INTO name_counts (name, mentions) VALUES (?1, ?2)
ON CONFLICT (name) DO UPDATE SET mentions = mentions + excluded.mentions
