INSERT INTO episode_words (rowid, words) VALUES (?, ?)
