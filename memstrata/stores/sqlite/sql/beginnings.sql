-- Two seeks: what never began stands at -2^62, before all.
SELECT (
  SELECT min(f.valid_at) FROM facts AS f
  WHERE f.group_key = ?1 AND f.valid_at > -4611686018427387904
    AND f.expired_at = 4611686018427387904 AND NOT f.contested
), (
  SELECT max(f.valid_at) FROM facts AS f
  WHERE f.group_key = ?1 AND f.valid_at > -4611686018427387904
    AND f.expired_at = 4611686018427387904 AND NOT f.contested
)
