UNWIND $rows AS row
CREATE (fact:FactVersion)
SET fact = row
