UPDATE failures SET dead = 1 WHERE group_id = :group_id AND episode_id = :episode_id AND stage = :stage
