-- Instants are microseconds since 1970; rows.py has the sentinels of open ends.

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- AUTOINCREMENT: a cleared group that comes again gets a new key, so nothing cached of the old one fits.
CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id TEXT NOT NULL UNIQUE,
  last_seq INTEGER NOT NULL DEFAULT 0,
  last_instant INTEGER NOT NULL
);

-- Every id, predicate and literal of a group once, so that the wide tables hold integers.
CREATE TABLE terms (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL REFERENCES groups (id),
  text TEXT NOT NULL,
  UNIQUE (group_key, text)
);

CREATE TABLE episodes (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL,
  episode INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reference_time INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  passage INTEGER,
  content_hash TEXT NOT NULL,
  content TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (episode, expired_at)
);
CREATE INDEX episodes_by_time ON episodes (group_key, expired_at, created_at);

CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL,
  signature TEXT NOT NULL,
  entity INTEGER NOT NULL,
  example TEXT NOT NULL,
  keys TEXT NOT NULL,
  UNIQUE (group_key, signature)
);
CREATE INDEX names_by_entity ON names (entity);

-- How many live mentions a name has: apart, so that counting touches few pages and not the wide rows of names.
CREATE TABLE name_counts (
  name INTEGER PRIMARY KEY,
  mentions INTEGER NOT NULL
);

CREATE TABLE name_keys (
  group_key INTEGER NOT NULL,
  key TEXT NOT NULL,
  name INTEGER NOT NULL,
  PRIMARY KEY (group_key, key, name)
) WITHOUT ROWID;

-- What a name stood for: a row for each entity that it ever stood for.
CREATE TABLE name_entities (
  entity INTEGER NOT NULL,
  name INTEGER NOT NULL,
  PRIMARY KEY (entity, name)
) WITHOUT ROWID;

-- Live mentions only; `episode` is the term, so that a new revision finds those of the one before.
CREATE TABLE mentions (
  id INTEGER PRIMARY KEY,
  episode INTEGER NOT NULL,
  mention TEXT NOT NULL,
  name INTEGER NOT NULL,
  reference_time INTEGER NOT NULL,
  UNIQUE (episode, mention)
);
CREATE INDEX mentions_by_name ON mentions (name, reference_time, mention, episode);

CREATE TABLE entities (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL,
  entity INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  passage INTEGER,
  name TEXT NOT NULL,
  type TEXT,
  aliases TEXT NOT NULL,
  UNIQUE (entity, expired_at)
);
CREATE INDEX entities_by_time ON entities (group_key, expired_at, created_at);

CREATE TABLE placements (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL,
  assertion INTEGER NOT NULL,
  episode INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  predicate INTEGER NOT NULL,
  object INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  retracted_at INTEGER NOT NULL,
  subject_mention TEXT,
  object_mention TEXT,
  kind TEXT NOT NULL,
  reference_time INTEGER NOT NULL,
  valid_at INTEGER,
  valid_at_precision TEXT,
  invalid_at INTEGER,
  invalid_at_precision TEXT,
  confidence REAL NOT NULL,
  object_kind TEXT NOT NULL,
  fact TEXT NOT NULL,
  quote TEXT NOT NULL,
  UNIQUE (assertion, retracted_at)
);
CREATE INDEX placements_by_key ON placements (subject, predicate, retracted_at);
CREATE INDEX placements_by_object ON placements (object, predicate, retracted_at);
CREATE INDEX placements_by_predicate ON placements (predicate, retracted_at);
CREATE INDEX placements_by_time ON placements (group_key, retracted_at);
CREATE INDEX placements_by_episode ON placements (episode, retracted_at);

CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL,
  fact_id INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  predicate INTEGER NOT NULL,
  object INTEGER NOT NULL,
  valid_at INTEGER NOT NULL,
  invalid_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  passage INTEGER,
  contested INTEGER NOT NULL,
  confidence REAL NOT NULL,
  valid_at_precision TEXT,
  invalid_at_precision TEXT,
  object_kind TEXT NOT NULL,
  fact TEXT NOT NULL,
  UNIQUE (fact_id, expired_at)
);
CREATE INDEX facts_by_time ON facts (group_key, expired_at, created_at);
CREATE INDEX facts_by_key ON facts (subject, predicate, expired_at);
CREATE INDEX facts_by_subject ON facts (subject, valid_at, invalid_at, created_at, expired_at, predicate);
CREATE INDEX facts_by_object ON facts (object, valid_at, invalid_at, created_at, expired_at, predicate);

CREATE TABLE evidence (
  fact_id INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  assertion INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  group_key INTEGER NOT NULL,
  PRIMARY KEY (fact_id, expired_at, assertion)
) WITHOUT ROWID;
CREATE INDEX evidence_by_assertion ON evidence (assertion, expired_at, fact_id);
CREATE INDEX evidence_by_time ON evidence (group_key, expired_at, created_at);

-- Whatever is to be searched by meaning; versions that read alike share a passage and so its vector.
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  group_key INTEGER NOT NULL,
  subject TEXT NOT NULL,
  handle INTEGER NOT NULL,
  embedded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX passages_without_vector ON passages (subject, id, group_key) WHERE NOT embedded;
CREATE INDEX passages_by_group ON passages (group_key, subject, embedded);

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_key INTEGER NOT NULL,
  subject TEXT NOT NULL,
  passage INTEGER NOT NULL UNIQUE,
  engine TEXT NOT NULL,
  vector BLOB NOT NULL
);
CREATE INDEX vectors_by_group ON vectors (group_key, subject, id);

-- Words stand in these prefixed with their group's key (see text.py): groups never share a posting list.
CREATE VIRTUAL TABLE fact_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE entity_words USING fts5 (
  words, names, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE episode_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- What consolidation made, by the group's name: a rebuild of the graph leaves it alone.
CREATE TABLE summaries (
  group_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  expired_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  input_hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (group_id, entity_id, expired_at)
) WITHOUT ROWID;

CREATE TABLE procedures (
  group_id TEXT NOT NULL,
  procedure_id TEXT NOT NULL,
  expired_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (group_id, procedure_id, expired_at)
) WITHOUT ROWID;
