UNWIND $rows AS row
CREATE (procedure:Procedure) SET procedure = row
