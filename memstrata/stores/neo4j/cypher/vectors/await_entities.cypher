CALL () {
  MATCH (it:Entity) WHERE it.awaits IS NOT NULL
  RETURN it.passage AS handle, it.name AS text, it.awaits AS since
  ORDER BY since LIMIT $limit
  UNION ALL
  MATCH (it:EntityVersion) WHERE it.awaits IS NOT NULL
  RETURN it.passage AS handle, it.name AS text, it.awaits AS since
  ORDER BY since LIMIT $limit
}
RETURN handle, head(collect(text)) AS text, min(since) AS since
ORDER BY since, handle LIMIT $limit
