SELECT seq, body FROM decisions
WHERE g = :g AND kind IN (SELECT value FROM json_each(:kinds)) AND seq IS NOT NULL AND seq > :after AND seq <= :until
ORDER BY seq, place
