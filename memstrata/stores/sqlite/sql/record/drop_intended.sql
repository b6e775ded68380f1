DELETE FROM intended WHERE path = ?
