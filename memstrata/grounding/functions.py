"""The functions of Cypher that read values and nothing else (Neo4j 5 manual, "Functions")."""

from __future__ import annotations

from typing import Final

#: In lower case. Functions of plug-ins are not among them: some run queries of their own.
FUNCTIONS: Final = frozenset(
    """
    avg collect count max min percentilecont percentiledisc stdev stdevp sum
    all any exists isempty none single
    char_length character_length coalesce elementid endnode head id last length nullif properties
    size startnode timestamp toboolean tobooleanornull tofloat tofloatornull tointeger tointegerornull type
    valuetype
    keys labels nodes range reduce relationships reverse tail tobooleanlist tofloatlist tointegerlist
    tostringlist
    abs ceil floor isnan rand round sign e exp log log10 sqrt
    acos asin atan atan2 cos cot degrees haversin pi radians sin tan
    btrim left lower ltrim normalize replace right rtrim split substring tolower tostring tostringornull
    toupper trim upper
    date datetime localdatetime localtime time duration
    date.truncate datetime.truncate localdatetime.truncate localtime.truncate time.truncate
    datetime.fromepoch datetime.fromepochmillis
    duration.between duration.indays duration.inmonths duration.inseconds
    point point.distance point.withinbbox
    vector.similarity.cosine vector.similarity.euclidean
    """.split()  # noqa: SIM905 (as a list it would take a line a word)
)
