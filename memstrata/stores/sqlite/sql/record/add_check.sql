INSERT INTO checks (group_id, name) VALUES (:group_id, :check) ON CONFLICT DO NOTHING
