DELETE FROM fact_words WHERE rowid IN (SELECT id FROM facts WHERE group_key = ?1)
