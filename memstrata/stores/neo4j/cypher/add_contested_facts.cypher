UNWIND $given.rows AS row
CREATE (fact:FactVersion)
SET fact = row
