-- As many of the calls as gave no reply; before there was this column, those were not noted at all.
ALTER TABLE calls ADD COLUMN failed REAL NOT NULL DEFAULT 0
