SELECT h.name, h.episode, count(*) FROM mentions AS h
WHERE h.episode = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2) GROUP BY h.name
