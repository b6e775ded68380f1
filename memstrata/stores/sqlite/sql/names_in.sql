SELECT n.id, n.signature, n.example, n.keys, entity.text, first.reference_time, first.mention, place.text, counted.mentions, here.mentions
FROM (
  SELECT h.name, count(*) AS mentions
  FROM groups AS g
  CROSS JOIN carray(?2) AS wanted
  CROSS JOIN terms AS t ON t.group_key = g.id AND t.text = CAST(wanted.value AS TEXT)
  CROSS JOIN mentions AS h ON h.episode = t.id
  WHERE g.group_id = ?1 GROUP BY h.name
) AS here
CROSS JOIN names AS n ON n.id = here.name
JOIN name_counts AS counted ON counted.name = n.id
JOIN terms AS entity ON entity.id = n.entity
JOIN mentions AS first ON first.id = (
  SELECT m.id FROM mentions AS m WHERE m.name = n.id ORDER BY m.reference_time, m.mention LIMIT 1
)
JOIN terms AS place ON place.id = first.episode
