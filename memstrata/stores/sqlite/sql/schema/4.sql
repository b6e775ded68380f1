-- Where sliders over valid time begin and end, without a look at every fact.
CREATE INDEX facts_by_beginning ON facts (group_key, valid_at)
WHERE expired_at = 4611686018427387904 AND NOT contested;
