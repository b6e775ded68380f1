SELECT source FROM sources WHERE source IN (SELECT value FROM json_each(?))
