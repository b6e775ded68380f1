SELECT DISTINCT t.text
FROM name_entities AS old
JOIN names AS n ON n.id = old.name AND n.entity <> old.entity
JOIN name_counts AS counted ON counted.name = n.id AND counted.mentions > 0
JOIN entities AS e ON e.entity = n.entity AND e.expired_at = 4611686018427387904
JOIN terms AS t ON t.id = n.entity
WHERE old.entity = (SELECT t.id FROM terms AS t WHERE t.group_key = ?1 AND t.text = ?2)
  AND NOT EXISTS (SELECT 1 FROM entities AS s WHERE s.entity = old.entity AND s.expired_at = 4611686018427387904)
ORDER BY t.text
