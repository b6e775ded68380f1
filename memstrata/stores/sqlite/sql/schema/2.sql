-- Episodes are searched by passages, filtered by where they come from and found by their place in a saga.
-- What must be read out of a record is filled in by migrating.py.

-- `source`, `speaker` (an id), `speaker_name` and `saga` are terms; `turn` is the id of an episode of a saga.
ALTER TABLE episodes ADD COLUMN source INTEGER;
ALTER TABLE episodes ADD COLUMN speaker INTEGER;
ALTER TABLE episodes ADD COLUMN speaker_name INTEGER;
ALTER TABLE episodes ADD COLUMN saga INTEGER;
ALTER TABLE episodes ADD COLUMN position INTEGER;
ALTER TABLE episodes ADD COLUMN turn TEXT;
ALTER TABLE episodes DROP COLUMN passage;
CREATE INDEX episodes_by_saga ON episodes (saga, position, reference_time, turn, created_at, expired_at)
WHERE saga IS NOT NULL;

-- One row a passage, in order of `place` (NULL: of a fact or an entity, which share theirs with other
-- versions); `text` NULL is all that it says (see `said`).
-- `since` is the commit that asked for a vector; `embedded`: 0 waiting, 1 done, 2 not before its commit.
ALTER TABLE passages ADD COLUMN place INTEGER;
ALTER TABLE passages ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE passages ADD COLUMN text TEXT;
DROP INDEX passages_without_vector;
CREATE INDEX passages_without_vector ON passages (subject, since) WHERE embedded = 0;
CREATE INDEX passages_by_handle ON passages (subject, handle, place) WHERE place IS NOT NULL;
UPDATE passages SET place = 0 WHERE subject = 'episode';

-- Passages that had a vector and gave way to others: what caches of vectors have to drop.
CREATE TABLE replaced_passages (
  group_key INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL,
  passage INTEGER NOT NULL,
  PRIMARY KEY (group_key, replaced_at, passage)
) WITHOUT ROWID;

-- A row is a passage now.
DROP TABLE episode_words;
CREATE VIRTUAL TABLE episode_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- The groups of summaries and procedures: these outlive a clearing, which ends a row of `groups`. Their
-- keys are negative, so that in `passages` and `vectors` they are nobody else's.
CREATE TABLE semantic_groups (
  id INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL UNIQUE
);

ALTER TABLE summaries RENAME TO summaries_1;
CREATE TABLE summaries (
  id INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  expired_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  input_hash TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (group_id, entity_id, expired_at)
);
INSERT INTO summaries (group_id, entity_id, expired_at, created_at, input_hash, body)
SELECT group_id, entity_id, expired_at, created_at, input_hash, body FROM summaries_1
ORDER BY created_at, group_id, entity_id;
DROP TABLE summaries_1;

ALTER TABLE procedures RENAME TO procedures_1;
CREATE TABLE procedures (
  id INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL,
  procedure_id TEXT NOT NULL,
  expired_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (group_id, procedure_id, expired_at)
);
INSERT INTO procedures (group_id, procedure_id, expired_at, created_at, body)
SELECT group_id, procedure_id, expired_at, created_at, body FROM procedures_1
ORDER BY created_at, group_id, procedure_id;
DROP TABLE procedures_1;

CREATE VIRTUAL TABLE summary_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE procedure_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
