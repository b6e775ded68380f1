SELECT n.id, n.signature, n.example, n.keys, entity.text, first.reference_time, first.mention, place.text, counted.mentions
FROM names AS n
JOIN name_counts AS counted ON counted.name = n.id
JOIN terms AS entity ON entity.id = n.entity
JOIN mentions AS first ON first.id = (
  SELECT m.id FROM mentions AS m WHERE m.name = n.id ORDER BY m.reference_time, m.mention LIMIT 1
)
JOIN terms AS place ON place.id = first.episode
WHERE n.entity = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2)
