SELECT n.id, n.signature, n.example, n.keys, entity.text, first.reference_time, first.mention, place.text, n.mentions
FROM names AS n
JOIN terms AS entity ON entity.id = n.entity
JOIN mentions AS first ON first.id = (
  SELECT m.id FROM mentions AS m WHERE m.name = n.id ORDER BY m.reference_time, m.mention LIMIT 1
)
JOIN terms AS place ON place.id = first.episode
WHERE n.group_key = ?1 AND n.signature = ?2
