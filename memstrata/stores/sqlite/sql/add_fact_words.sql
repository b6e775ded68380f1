INSERT INTO fact_words (rowid, words) VALUES (?, ?)
