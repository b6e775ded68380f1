SELECT x.id, v.vector FROM carray(?1) AS found
CROSS JOIN facts AS x ON x.id = found.value
CROSS JOIN vectors AS v ON v.passage = x.passage
