SELECT e.id FROM episodes AS e
WHERE e.saga = :saga AND (e.position, e.reference_time, e.turn) < (:position, :reference_time, :turn)
  AND e.created_at <= :system AND e.expired_at > :system AND e.expired_at <= 4611686018427387904
  AND (:last IS NULL OR e.reference_time <= :last) AND (:since IS NULL OR e.reference_time >= :since)
  AND e.turn NOT IN (SELECT value FROM json_each(:without))
ORDER BY e.position DESC, e.reference_time DESC, e.turn DESC LIMIT :reach
