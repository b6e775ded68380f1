UNWIND $given.rows AS row
WITH row, row.episode AS said
CREATE (episode:PendingEpisode)
SET episode = said {.*, valid_at: datetime.fromEpoch(said.valid_at[0], said.valid_at[1])}
WITH episode, row
UNWIND row.passages AS properties
CREATE (episode)-[:HAS_PASSAGE]->(passage:Passage)
SET passage = properties
