MATCH (it:Summary) WHERE it.awaits IS NOT NULL
RETURN it.handle AS handle, it.text AS text, it.awaits AS since
ORDER BY since, handle LIMIT $limit
