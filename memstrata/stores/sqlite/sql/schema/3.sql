-- Which relations and properties a group has, without reading its facts.
CREATE INDEX IF NOT EXISTS facts_by_predicate ON facts (group_key, object_kind, predicate)
WHERE expired_at = 4611686018427387904;

-- A version of a fact as whole reads give it: its record, and the latest names of subject and object.
CREATE VIEW fact_versions AS
SELECT f.id AS id, g.group_id AS group_id, fact_id.text AS fact_id, subject.text AS subject,
  predicate.text AS predicate, object.text AS object, f.valid_at AS valid_at, f.invalid_at AS invalid_at,
  f.valid_at_precision AS valid_at_precision, f.invalid_at_precision AS invalid_at_precision,
  f.contested AS contested, f.confidence AS confidence, f.object_kind AS object_kind, f.fact AS sentence,
  f.created_at AS created_at, f.expired_at AS expired_at, (
    SELECT json_group_array(a.text) FROM evidence AS e JOIN terms AS a ON a.id = e.assertion
    WHERE e.fact_id = f.fact_id AND e.created_at < f.expired_at AND e.expired_at >= f.expired_at
  ) AS evidence,
  coalesce(
    (SELECT e.name FROM entities AS e WHERE e.entity = f.subject ORDER BY e.expired_at DESC LIMIT 1), subject.text
  ) AS subject_name,
  CASE f.object_kind WHEN 'entity' THEN coalesce(
    (SELECT e.name FROM entities AS e WHERE e.entity = f.object ORDER BY e.expired_at DESC LIMIT 1), object.text
  ) ELSE object.text END AS object_name
FROM facts AS f
JOIN groups AS g ON g.id = f.group_key
JOIN terms AS fact_id ON fact_id.id = f.fact_id
JOIN terms AS subject ON subject.id = f.subject
JOIN terms AS predicate ON predicate.id = f.predicate
JOIN terms AS object ON object.id = f.object;
