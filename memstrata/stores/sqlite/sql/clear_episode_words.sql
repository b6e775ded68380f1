DELETE FROM episode_words WHERE rowid IN (
  SELECT p.id FROM passages AS p WHERE p.group_key = ?1 AND p.subject = 'episode'
)
