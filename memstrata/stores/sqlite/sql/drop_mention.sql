DELETE FROM mentions WHERE episode = ?1 AND mention = ?2 RETURNING name
