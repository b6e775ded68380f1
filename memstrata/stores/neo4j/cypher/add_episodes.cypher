UNWIND $given.rows AS row
CREATE (episode:Episodic)
SET episode = row
