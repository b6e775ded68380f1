SELECT t.text, t.id FROM carray(?2) AS wanted
CROSS JOIN terms AS t ON t.group_key = ?1 AND t.text = CAST(wanted.value AS TEXT)
