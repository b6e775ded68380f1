-- What is still to be asked of a language model, version 1: ids and names of relations, no texts of the memory.
-- `about` is a JSON array; `looked` holds up to which commit a group was looked through.

CREATE TABLE waiting (
  q INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL,
  about TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  UNIQUE (group_id, about)
);
CREATE INDEX waiting_by_tries ON waiting (group_id, tries, q);

CREATE TABLE looked (
  group_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) WITHOUT ROWID;
