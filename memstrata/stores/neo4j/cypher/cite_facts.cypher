UNWIND $given.rows AS row
MATCH (episode:Episodic {group_id: $given.group, uuid: row.episode})
USING INDEX SEEK episode:Episodic(group_id, uuid)
SET episode.entity_edges = [id IN episode.entity_edges WHERE NOT id IN row.gone] + row.new
