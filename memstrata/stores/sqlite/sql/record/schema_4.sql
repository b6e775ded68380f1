-- The record index, version 4: extractor versions beside one another.
-- `asked` is the number of the compaction that last asked for an episode's extraction, and stays when `awaiting`
-- is settled. An extraction is of its episode's present context while its `seen` is that number; -1: it is not known
-- to be. `failed` = 1: the version was tried on the episode in vain, and `body` says nothing.

ALTER TABLE heads ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
UPDATE heads SET asked = awaiting;
ALTER TABLE extractions ADD COLUMN seen INTEGER NOT NULL DEFAULT -1;
ALTER TABLE extractions ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
UPDATE extractions SET seen = 0 WHERE x IN (SELECT extracted FROM heads WHERE awaiting = 0 AND extracted IS NOT NULL);

-- What a promotion (a row of `decisions`) put into force, and what was in force before; gone once it is taken back.
CREATE TABLE promotions (
  d INTEGER NOT NULL,
  h INTEGER NOT NULL,
  before INTEGER,
  after INTEGER NOT NULL,
  PRIMARY KEY (d, h)
) WITHOUT ROWID;
