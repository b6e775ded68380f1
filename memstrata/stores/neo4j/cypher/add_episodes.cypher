UNWIND $given.rows AS row
CREATE (episode:Episodic)
SET episode = row.episode
WITH episode, row
UNWIND row.passages AS properties
CREATE (episode)-[:HAS_PASSAGE]->(passage:Passage)
SET passage = properties
