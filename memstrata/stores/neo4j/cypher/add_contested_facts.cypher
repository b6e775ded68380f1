UNWIND $given.rows AS row
CREATE (fact:FactVersion)
SET fact = row {
  .*, created_at: $given.instant,
  valid_at: CASE WHEN row.valid_at IS NULL THEN null ELSE datetime.fromEpoch(row.valid_at[0], row.valid_at[1]) END,
  invalid_at: CASE WHEN row.invalid_at IS NULL THEN null ELSE datetime.fromEpoch(row.invalid_at[0], row.invalid_at[1]) END
}
