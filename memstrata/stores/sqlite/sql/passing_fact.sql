-- Each condition is what ports.Filters says of a fact.
SELECT f.id FROM carray(:some) AS found
CROSS JOIN facts AS f ON f.id = found.value
WHERE (:relations IS NULL OR f.predicate IN (SELECT value FROM json_each(:relations)))
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
  AND (:types IS NULL OR EXISTS (
    SELECT 1 FROM entities AS e
    WHERE e.entity IN (f.subject, CASE f.object_kind WHEN 'entity' THEN f.object END)
      AND e.type IN (SELECT value FROM json_each(:types))
      AND e.created_at <= :system AND (:history OR e.expired_at > :system)
  ))
  AND (:properties IS NULL
    OR NOT EXISTS (
      SELECT 1 FROM json_each(:properties) AS asked WHERE NOT EXISTS (
        SELECT 1 FROM facts AS s
        WHERE s.subject = f.subject AND s.predicate = asked.value ->> 0 AND s.object = asked.value ->> 1
          AND s.object_kind = 'literal'
          AND (:last IS NULL OR (s.valid_at <= :last AND s.invalid_at > :first AND s.invalid_at > s.valid_at))
          AND s.created_at <= :system AND (:history OR s.expired_at > :system)
      )
    )
    OR (f.object_kind = 'entity' AND NOT EXISTS (
      SELECT 1 FROM json_each(:properties) AS asked WHERE NOT EXISTS (
        SELECT 1 FROM facts AS s
        WHERE s.subject = f.object AND s.predicate = asked.value ->> 0 AND s.object = asked.value ->> 1
          AND s.object_kind = 'literal'
          AND (:last IS NULL OR (s.valid_at <= :last AND s.invalid_at > :first AND s.invalid_at > s.valid_at))
          AND s.created_at <= :system AND (:history OR s.expired_at > :system)
      )
    ))
  )
