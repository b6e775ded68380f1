-- The record index, version 3: lists of one group cost what they show, however much other groups hold.

CREATE INDEX heads_by_group ON heads (g, n) WHERE retracted = 0;
CREATE INDEX decisions_by_group ON decisions (g, d);
