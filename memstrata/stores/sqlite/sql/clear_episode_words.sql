DELETE FROM episode_words WHERE rowid IN (SELECT id FROM episodes WHERE group_key = ?1)
