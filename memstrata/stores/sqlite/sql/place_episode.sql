UPDATE episodes SET source = ?2, speaker = ?3, speaker_name = ?4, saga = ?5, position = ?6, turn = ?7
WHERE id = ?1
