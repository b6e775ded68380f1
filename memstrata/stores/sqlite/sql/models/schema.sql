-- What language models were asked and said, version 1; `version_2.sql` goes on from it. Instants are microseconds since 1970, days are days since
-- 1970, both UTC. `calls` holds ids and numbers; `replies` holds content, and is what erasing has to reach.

CREATE TABLE calls (
  c INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  day INTEGER NOT NULL,
  group_id TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  version TEXT NOT NULL,
  model TEXT NOT NULL,
  calls REAL NOT NULL,
  input_tokens REAL NOT NULL,
  output_tokens REAL NOT NULL,
  cached_tokens REAL NOT NULL,
  retries REAL NOT NULL,
  seconds REAL NOT NULL
);
CREATE INDEX calls_by_day ON calls (day, group_id);

CREATE TABLE replies (
  r INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  body BLOB NOT NULL
);

-- Which episodes a reply tells of.
CREATE TABLE told_of (
  group_id TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  r INTEGER NOT NULL REFERENCES replies (r) ON DELETE CASCADE,
  PRIMARY KEY (group_id, episode_id, r)
) WITHOUT ROWID;
CREATE INDEX told_of_by_reply ON told_of (r);
