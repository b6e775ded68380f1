SELECT a.text
FROM evidence AS e
JOIN terms AS a ON a.id = e.assertion
WHERE e.fact_id = ?1 AND e.created_at < ?2 AND e.expired_at >= ?2
ORDER BY a.text
