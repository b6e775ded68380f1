SELECT id FROM groups
