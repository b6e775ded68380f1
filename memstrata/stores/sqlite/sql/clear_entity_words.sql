DELETE FROM entity_words WHERE rowid IN (SELECT id FROM entities WHERE group_key = ?1)
