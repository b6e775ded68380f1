// From when to when facts begin that are believed now, contested ones aside.
CALL () {
  MATCH ()-[fact:RELATES_TO {group_id: $group}]->() WHERE fact.valid_from > $always AND NOT fact.contested
  RETURN min(fact.valid_from) AS first, max(fact.valid_from) AS last
  UNION ALL
  MATCH (fact:FactVersion {group_id: $group})
  WHERE fact.believed_until >= $open AND fact.valid_from > $always AND NOT fact.contested
  RETURN min(fact.valid_from) AS first, max(fact.valid_from) AS last
}
RETURN min(first) AS first, max(last) AS last
