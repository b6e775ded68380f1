SELECT DISTINCT t.text
FROM evidence AS old
JOIN evidence AS now ON now.assertion = old.assertion AND now.expired_at = 4611686018427387904
JOIN facts AS f ON f.fact_id = now.fact_id AND f.expired_at = 4611686018427387904
JOIN terms AS t ON t.id = f.fact_id
WHERE old.fact_id = ?1 AND old.created_at < ?2 AND old.expired_at >= ?2
ORDER BY t.text
