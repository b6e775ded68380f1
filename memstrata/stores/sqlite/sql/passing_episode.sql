-- What ports.Filters says of an episode; its metadata are compared elsewhere.
SELECT x.id FROM carray(:some) AS found
CROSS JOIN episodes AS x ON x.id = found.value
WHERE (:sources IS NULL OR x.source IN (SELECT value FROM json_each(:sources)))
  AND (:speakers IS NULL
    OR x.speaker IN (SELECT value FROM json_each(:speakers))
    OR x.speaker_name IN (SELECT value FROM json_each(:speakers)))
  AND ((:types IS NULL AND :relations IS NULL AND :least_confidence IS NULL) OR (
    x.expired_at <> 4611686018427387905 AND EXISTS (
      SELECT 1 FROM placements AS p
      JOIN evidence AS v ON v.assertion = p.assertion
      JOIN facts AS f ON f.fact_id = v.fact_id
      WHERE p.episode = x.episode
        AND v.created_at < f.expired_at AND v.expired_at >= f.expired_at
        AND (:last IS NULL OR (f.valid_at <= :last AND f.invalid_at > :first AND f.invalid_at > f.valid_at))
        AND f.created_at <= :system AND (:history OR f.expired_at > :system)
        AND (:relations IS NULL OR f.predicate IN (SELECT value FROM json_each(:relations)))
        AND (:least_confidence IS NULL OR f.confidence >= :least_confidence)
        AND (:types IS NULL OR EXISTS (
          SELECT 1 FROM entities AS e
          WHERE e.entity IN (f.subject, CASE f.object_kind WHEN 'entity' THEN f.object END)
            AND e.type IN (SELECT value FROM json_each(:types))
            AND e.created_at <= :system AND (:history OR e.expired_at > :system)
        ))
    )
  ))
