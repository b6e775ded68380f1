UPDATE heads SET dead = 1 WHERE episode_id = :episode_id AND g = :g AND revision = :revision
