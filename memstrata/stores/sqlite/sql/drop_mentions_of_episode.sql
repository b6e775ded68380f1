DELETE FROM mentions WHERE episode = ?1 RETURNING name
