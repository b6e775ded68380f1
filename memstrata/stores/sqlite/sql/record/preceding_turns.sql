SELECT e.body FROM heads AS t INDEXED BY heads_by_saga JOIN episodes AS e ON e.n = t.n
WHERE t.g = :g AND t.saga = :saga AND t.retracted = 0
  AND (t.position, t.reference, t.episode_id) < (:position, :reference, :episode_id)
ORDER BY t.position DESC, t.reference DESC, t.episode_id DESC LIMIT :turns
