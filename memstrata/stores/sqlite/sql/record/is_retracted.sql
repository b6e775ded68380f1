SELECT retracted FROM heads WHERE episode_id = :episode_id AND g = :g
