DELETE FROM summary_words WHERE rowid = ?1
