DELETE FROM failures WHERE group_id = :group_id AND episode_id = :episode_id
