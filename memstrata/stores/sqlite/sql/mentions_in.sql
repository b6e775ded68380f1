SELECT h.name, h.episode, count(*)
FROM groups AS g
CROSS JOIN carray(?2) AS wanted
CROSS JOIN terms AS t ON t.group_key = g.id AND t.text = CAST(wanted.value AS TEXT)
CROSS JOIN mentions AS h ON h.episode = t.id
WHERE g.group_id = ?1 GROUP BY h.name, h.episode
