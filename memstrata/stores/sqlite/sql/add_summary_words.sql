INSERT INTO summary_words (rowid, words) VALUES (?, ?)
