DELETE FROM episode_words WHERE rowid = ?1
