INSERT INTO procedure_words (rowid, words) VALUES (?, ?)
