SELECT n.signature, n.id FROM carray(?2) AS wanted
CROSS JOIN names AS n ON n.group_key = ?1 AND n.signature = CAST(wanted.value AS TEXT)
