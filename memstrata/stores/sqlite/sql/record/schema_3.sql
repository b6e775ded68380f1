-- The record index, version 3: the extractions that hold something in quarantine, found without reading the others.
-- Quotes inside of texts are escaped, so that no content looks so.

CREATE INDEX extractions_holding ON extractions (h) WHERE instr(body, CAST('"held":[{' AS BLOB)) > 0;
