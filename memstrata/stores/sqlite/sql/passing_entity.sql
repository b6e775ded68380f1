-- Each condition is what ports.Filters says of an entity.
SELECT x.id FROM carray(:some) AS found
CROSS JOIN entities AS x ON x.id = found.value
WHERE (:types IS NULL OR x.type IN (SELECT value FROM json_each(:types)))
  AND (:properties IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(:properties) AS asked WHERE NOT EXISTS (
      SELECT 1 FROM facts AS s
      WHERE s.subject = x.entity AND s.predicate = asked.value ->> 0 AND s.object = asked.value ->> 1
        AND s.object_kind = 'literal'
        AND (:last IS NULL OR (s.valid_at <= :last AND s.invalid_at > :first AND s.invalid_at > s.valid_at))
        AND s.created_at <= :system AND (:history OR s.expired_at > :system)
    )
  ))
  AND ((:relations IS NULL AND :sources IS NULL AND :speakers IS NULL AND :least_confidence IS NULL) OR EXISTS (
    SELECT 1 FROM facts AS f
    WHERE (f.subject = x.entity OR (f.object = x.entity AND f.object_kind = 'entity'))
      AND (:last IS NULL OR (f.valid_at <= :last AND f.invalid_at > :first AND f.invalid_at > f.valid_at))
      AND f.created_at <= :system AND (:history OR f.expired_at > :system)
      AND (:relations IS NULL OR f.predicate IN (SELECT value FROM json_each(:relations)))
      AND (:least_confidence IS NULL OR f.confidence >= :least_confidence)
      AND ((:sources IS NULL AND :speakers IS NULL) OR EXISTS (
        SELECT 1 FROM evidence AS v
        JOIN placements AS p ON p.assertion = v.assertion
        JOIN episodes AS e ON e.episode = p.episode
        WHERE v.fact_id = f.fact_id AND v.created_at < f.expired_at AND v.expired_at >= f.expired_at
          AND e.created_at <= :system AND (:history OR e.expired_at > :system)
          AND (:sources IS NULL OR e.source IN (SELECT value FROM json_each(:sources)))
          AND (:speakers IS NULL
            OR e.speaker IN (SELECT value FROM json_each(:speakers))
            OR e.speaker_name IN (SELECT value FROM json_each(:speakers)))
      ))
  ))
