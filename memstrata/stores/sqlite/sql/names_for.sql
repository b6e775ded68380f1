SELECT ?3, n.id, n.signature, n.example, n.keys, entity.text, first.reference_time, first.mention, place.text, counted.mentions
FROM mentions AS here
JOIN names AS n ON n.id = here.name AND n.group_key = ?1
JOIN name_counts AS counted ON counted.name = n.id
JOIN terms AS entity ON entity.id = n.entity
JOIN mentions AS first ON first.id = (
  SELECT m.id FROM mentions AS m WHERE m.name = n.id ORDER BY m.reference_time, m.mention LIMIT 1
)
JOIN terms AS place ON place.id = first.episode
WHERE here.episode = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2) AND here.mention = ?3
