SELECT e.body FROM heads AS t JOIN episodes AS e ON e.n = t.n WHERE t.episode_id = :episode_id AND t.g = :g
