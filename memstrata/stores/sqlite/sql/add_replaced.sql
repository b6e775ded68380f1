INSERT INTO replaced_passages (group_key, replaced_at, passage) VALUES (?, ?, ?)
