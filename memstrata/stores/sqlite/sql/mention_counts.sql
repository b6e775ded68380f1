SELECT t.text, (
  SELECT count(DISTINCT m.episode) FROM names AS n JOIN mentions AS m ON m.name = n.id WHERE n.entity = t.id
)
FROM groups AS g
CROSS JOIN carray(?2) AS wanted
CROSS JOIN terms AS t ON t.group_key = g.id AND t.text = CAST(wanted.value AS TEXT)
WHERE g.group_id = ?1
