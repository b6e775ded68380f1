-- The record index, version 1: everything in it but failures is derived from the lake and the spool.
-- Instants are microseconds since 1970 and days are days since 1970, both UTC.

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('number', 0);

CREATE TABLE groups (g INTEGER PRIMARY KEY, group_id TEXT NOT NULL UNIQUE);

-- Parts that are registered, and parts that somebody is about to write.
CREATE TABLE parts (path TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE intended (path TEXT PRIMARY KEY) WITHOUT ROWID;

-- Spool files (stream/name) that compactions used up, and how far files of commits have been read.
CREATE TABLE sources (source TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE spool_read (stem TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;

-- One row an episode: where its latest revision stands and how far it has come.
-- `withdrawn` is its latest retracted revision, 0 for none; `retracted` = 1 if that is the latest of all.
-- `position` is the greatest integer for a turn without one. `awaiting` is the number of the compaction that last
-- asked for its extraction, 0 once it is settled. `extracted` and `committed` name rows of `extractions`.
CREATE TABLE heads (
  h INTEGER PRIMARY KEY,
  g INTEGER NOT NULL,
  episode_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  day INTEGER NOT NULL,
  saga TEXT,
  position INTEGER NOT NULL,
  reference INTEGER NOT NULL,
  retracted INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  awaiting INTEGER NOT NULL,
  dead INTEGER NOT NULL,
  extracted INTEGER,
  committed INTEGER
);
CREATE UNIQUE INDEX heads_by_id ON heads (episode_id, g);
CREATE INDEX heads_by_saga ON heads (g, saga, position, reference, episode_id) WHERE saga IS NOT NULL AND retracted = 0;
CREATE INDEX heads_awaiting ON heads (n) WHERE awaiting > 0 AND dead = 0;
CREATE INDEX heads_awaiting_by_day ON heads (day, n) WHERE awaiting > 0 AND dead = 0;
CREATE INDEX heads_pending ON heads (g, n)
  WHERE awaiting = 0 AND dead = 0 AND retracted = 0 AND extracted IS NOT NULL AND extracted IS NOT committed;
CREATE INDEX heads_pending_by_day ON heads (g, day, n)
  WHERE awaiting = 0 AND dead = 0 AND retracted = 0 AND extracted IS NOT NULL AND extracted IS NOT committed;

-- Every revision; `n` is the order of acceptance, `body` the episode as JSON.
CREATE TABLE episodes (
  n INTEGER PRIMARY KEY,
  h INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  day INTEGER NOT NULL,
  body BLOB NOT NULL
);
CREATE UNIQUE INDEX episodes_by_head ON episodes (h, revision);
CREATE INDEX episodes_by_day ON episodes (day);

-- `body` is null while only a commit tells that there was such an extraction.
CREATE TABLE extractions (
  x INTEGER PRIMARY KEY,
  h INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  context_hash TEXT NOT NULL,
  version TEXT NOT NULL,
  body BLOB
);
CREATE UNIQUE INDEX extractions_by_key ON extractions (h, revision, context_hash, version);

-- `seq` and `place`: the commit that took the decision in, and where it lists it.
CREATE TABLE decisions (
  d INTEGER PRIMARY KEY,
  g INTEGER NOT NULL,
  decision_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  day INTEGER NOT NULL,
  body BLOB NOT NULL,
  seq INTEGER,
  place INTEGER
);
CREATE UNIQUE INDEX decisions_by_id ON decisions (decision_id, g);
CREATE INDEX decisions_pending ON decisions (g, d) WHERE seq IS NULL;
CREATE INDEX decisions_committed ON decisions (g, kind, seq, place) WHERE seq IS NOT NULL;

CREATE TABLE commits (
  g INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (g, seq)
);

-- Failures of a stage; not derived, so by name: they outlive the rows above. The episode is a dead letter while
-- `heads.dead` = 1.
CREATE TABLE failures (
  group_id TEXT NOT NULL,
  episode_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  revision INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at TEXT NOT NULL,
  dead INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (group_id, episode_id, stage)
) WITHOUT ROWID;
