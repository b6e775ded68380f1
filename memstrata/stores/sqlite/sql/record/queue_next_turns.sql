UPDATE heads SET awaiting = :number, asked = :number
WHERE h IN (
  SELECT h FROM heads INDEXED BY heads_by_saga
  WHERE g = :g AND saga = :saga AND retracted = 0
    AND (position, reference, episode_id) > (:position, :reference, :episode_id)
  ORDER BY position, reference, episode_id LIMIT :turns
) AND awaiting <> :number
