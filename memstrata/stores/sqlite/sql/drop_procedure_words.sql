DELETE FROM procedure_words WHERE rowid = ?1
