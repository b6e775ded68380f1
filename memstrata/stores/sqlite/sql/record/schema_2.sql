-- The record index, version 2: the results of checks. Like failures they are derived from nothing here, so they
-- stand by name: they outlive the rows that are built again.

CREATE TABLE checks (
  c INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (group_id, name)
);

-- One row for each day judged: the last run's, at `at`. `ran` = 0: it could not run, and `value` is null.
CREATE TABLE check_results (
  c INTEGER NOT NULL REFERENCES checks,
  day INTEGER NOT NULL,
  at INTEGER NOT NULL,
  severity TEXT NOT NULL,
  ran INTEGER NOT NULL,
  passed INTEGER NOT NULL,
  value REAL,
  threshold REAL,
  sentence TEXT NOT NULL,
  details TEXT NOT NULL,
  PRIMARY KEY (c, day)
) WITHOUT ROWID;
