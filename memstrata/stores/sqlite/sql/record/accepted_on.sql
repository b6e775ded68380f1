SELECT n, body FROM episodes WHERE day = :day AND n > :after ORDER BY n LIMIT :limit
