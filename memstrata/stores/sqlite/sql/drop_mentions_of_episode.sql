DELETE FROM mentions WHERE episode IN (SELECT value FROM carray(?1)) RETURNING name
