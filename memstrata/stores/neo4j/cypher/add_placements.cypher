UNWIND $rows AS row
CREATE (placement:Placement)
SET placement = row
