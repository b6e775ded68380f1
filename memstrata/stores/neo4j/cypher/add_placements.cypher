UNWIND $given.rows AS row
CREATE (placement:Placement)
SET placement = row
