UNWIND $rows AS row
CREATE (mention:Mention)
SET mention = row
