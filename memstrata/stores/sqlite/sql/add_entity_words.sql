INSERT INTO entity_words (rowid, words, names) VALUES (?, ?, ?)
