UPDATE placements SET retracted_at = ?2
WHERE assertion = ?1 AND retracted_at = 4611686018427387904 RETURNING id
