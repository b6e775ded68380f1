from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from grounded_schema import SCHEMA
from hypothesis import given
from hypothesis import strategies as st

from memstrata.grounding import UngroundedQuery, ground, parse
from memstrata.grounding.confining import confine

if TYPE_CHECKING:
    from memstrata.grounding.problems import Problem

G = "{group_id: $memstrata_group}"


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(UngroundedQuery) as caught:
        ground(text, SCHEMA)
    return caught.value.problems


@pytest.mark.parametrize(
    ("query", "confined"),
    [
        ("MATCH (p:Person) RETURN p.name", f"MATCH (p:Person {G}) RETURN p.name"),
        ("MATCH (p) RETURN p", f"MATCH (p {G}) RETURN p"),
        ("MATCH () RETURN count(*)", f"MATCH ( {G}) RETURN count(*)"),
        ("MATCH (p {}) RETURN p", f"MATCH (p {G}) RETURN p"),
        (
            "MATCH (p:Person {name: 'Ada'}) RETURN p",
            "MATCH (p:Person {group_id: $memstrata_group, name: 'Ada'}) RETURN p",
        ),
        ("match (a)--(b) return b", f"match (a {G})-[{G}]-(b {G}) return b"),
        ("MATCH (a)<--(b) RETURN b", f"MATCH (a {G})<-[{G}]-(b {G}) RETURN b"),
        (
            "MATCH (a)-[r:RELATES_TO*1..3 {name: $n}]->(b) RETURN r",
            f"MATCH (a {G})-[r:RELATES_TO*1..3 {{group_id: $memstrata_group, name: $n}}]->(b {G}) RETURN r",
        ),
        (
            "MATCH (a:Person WHERE a.name STARTS WITH 'A')-[]-() RETURN a",
            f"MATCH (a:Person {G} WHERE a.name STARTS WITH 'A')-[ {G}]-( {G}) RETURN a",
        ),
        (
            "MATCH (n) WHERE NOT (n)-[:MENTIONS]->(:Person) RETURN n",
            f"MATCH (n {G}) WHERE NOT (n {G})-[:MENTIONS {G}]->(:Person {G}) RETURN n",
        ),
        (
            "MATCH (n) RETURN [(n)-->(m) WHERE m.name = 'x' | m.name] AS found",
            f"MATCH (n {G}) RETURN [(n {G})-[{G}]->(m {G}) WHERE m.name = 'x' | m.name] AS found",
        ),
        (
            "MATCH (n) WHERE EXISTS { (n)--(:Person) } AND COUNT { MATCH (n)--(m) RETURN m } > 1 RETURN n",
            (
                f"MATCH (n {G}) WHERE EXISTS {{ (n {G})-[{G}]-(:Person {G}) }} AND "
                f"COUNT {{ MATCH (n {G})-[{G}]-(m {G}) RETURN m }} > 1 RETURN n"
            ),
        ),
        (
            "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN m UNION MATCH (m:Person) RETURN m } RETURN m",
            (
                f"MATCH (n {G}) CALL (n) {{ MATCH (n {G})-[{G}]->(m {G}) RETURN m UNION "
                f"MATCH (m:Person {G}) RETURN m }} RETURN m"
            ),
        ),
        (
            "MATCH p = SHORTEST 1 (a:Person)-[:MENTIONS]-{1,4}(b) RETURN length(p)",
            f"MATCH p = SHORTEST 1 (a:Person {G})-[:MENTIONS {G}]-{{1,4}}(b {G}) RETURN length(p)",
        ),
        (
            "MATCH (a) ((x)-[:RELATES_TO]->(y)){1,2} (b) RETURN b",
            f"MATCH (a {G}) ((x {G})-[:RELATES_TO {G}]->(y {G})){{1,2}} (b {G}) RETURN b",
        ),
        ("MATCH (n) RETURN n /* (m) */ // (o)", f"MATCH (n {G}) RETURN n /* (m) */ // (o)"),
        ("MATCH (n {name: '(x)--(y)'}) RETURN n;", None),
    ],
)
def test_every_node_and_relationship_is_confined(query: str, confined: str | None) -> None:
    expected = confined or query.replace("{name", "{group_id: $memstrata_group, name")
    assert ground(query, SCHEMA).text == expected


@pytest.mark.parametrize(
    "query",
    [
        "UNWIND range(1, 3) AS i RETURN i, -i < -2, (i) < -1, i % 2 = 0 XOR i IN [1, 2]",
        "RETURN CASE 1 WHEN 1, 2 THEN 'a' ELSE 'b' END AS letter",
        "RETURN reduce(s = 0, x IN [1, 2] | s + x) AS total, any(x IN [1] WHERE x > 0) AS some",
        "RETURN [x IN range(0, 9) WHERE x % 2 = 0 | x * x][1..3] AS squares",
        "RETURN datetime('2024-01-01') - duration({days: 1}) AS then, point.distance($a, $b) AS far",
        "RETURN 'it\\'s' + \"x\" AS quoted, 0x1F AS hex, 1.5e3 AS big, .5 AS half, null IS NOT NULL AS no",
    ],
)
def test_expressions_without_patterns_stay_as_they_are(query: str) -> None:
    assert ground(query, SCHEMA).text == query


@pytest.mark.parametrize(
    ("query", "kind", "token", "says"),
    [
        ("CREATE (n)", "clause", "CREATE", "only reads"),
        ("MATCH (n) SET n.name = 'x' RETURN n", "clause", "SET", "only reads"),
        ("MATCH (n) DETACH DELETE n", "clause", "DETACH", "only reads"),
        ("MATCH (n) CALL { WITH n CREATE (m) } RETURN n", "clause", "CREATE", "only reads"),
        ("MATCH (n) FOREACH (x IN [1] | SET n.a = x) RETURN n", "clause", "FOREACH", "only reads"),
        ("CALL db.labels()", "clause", "CALL", "procedures"),
        ("CALL { MATCH (n) RETURN n } IN TRANSACTIONS RETURN n", "clause", "IN", "TRANSACTIONS"),
        ("LOAD CSV FROM 'file:///x' AS line RETURN line", "clause", "LOAD", "outside"),
        ("USE other MATCH (n) RETURN n", "clause", "USE", "another graph"),
        ("EXPLAIN MATCH (n) RETURN n", "clause", "EXPLAIN", "alone"),
        (
            "RETURN apoc.cypher.runFirstColumnMany('MATCH (n) RETURN n', {}) AS n",
            "function",
            "apoc",
            "no function",
        ),
        ("MATCH (n $props) RETURN n", "syntax", "$props", "write them out"),
        ("MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "syntax", "shortestPath", "SHORTEST 1"),
        ("MATCH (a), (b) RETURN shortestPath((a)-[*]-(b))", "syntax", "shortestPath", "SHORTEST 1"),
        ("MATCH (n {group_id: 'other'}) RETURN n", "property", "group_id", "set by the tool"),
        ("RETURN $memstrata_group AS g", "syntax", "$memstrata_group", "tool's own"),
        ("RETURN 'a\\u0027) MATCH (m' AS x", "syntax", "\\u0027", "Unicode"),
        ("MATCH (n) RETURN n; MATCH (m) RETURN m", "syntax", "MATCH", "one query"),
        ("MATCH (n)", "clause", "", "ends with RETURN"),
        ("MATCH (n", "syntax", "", "expected )"),
        ("MATCH (n) RETURN 'x", "syntax", "'x", "quote"),
        ("", "clause", "", "expected one of"),
    ],
)
def test_anything_but_one_reading_query_is_refused(query: str, kind: str, token: str, says: str) -> None:
    (found,) = problems(query)
    assert (found.kind, found.token) == (kind, token)
    assert says in found.message


def test_an_unknown_name_is_told_with_its_place_and_the_nearest() -> None:
    found = problems("MATCH (p:Persn)-[r:RELATE_TO]->(o)\nWHERE p.nme = 'Ada'\nRETURN r.facts")
    assert [(one.kind, one.token, one.line, one.column, one.nearest[:1]) for one in found] == [
        ("label", "Persn", 1, 10, ("Person",)),
        ("type", "RELATE_TO", 1, 20, ("RELATES_TO",)),
        ("property", "nme", 2, 9, ("name",)),
        ("property", "facts", 3, 10, ("fact",)),
    ]


def test_a_relation_taken_for_a_type_is_told_how_facts_are_written() -> None:
    (found,) = problems("MATCH (p)-[:WORKS_FOR]->(o) RETURN o")
    assert found.nearest == ("RELATES_TO",)
    assert "RELATES_TO {name: 'WORKS_FOR'}" in found.message


def test_a_property_is_checked_against_its_own_label_and_through_aliases() -> None:
    (found,) = problems("MATCH (e:Episodic) WITH e AS turn RETURN turn.birthday")
    assert (found.token, found.column) == ("birthday", 47)
    assert ground("MATCH (n) RETURN n.birthday", SCHEMA)
    assert ground("MATCH (n) WHERE n:Person RETURN n.birthday", SCHEMA)


def test_places_in_the_running_query_lead_back_to_the_query_as_given() -> None:
    text = "MATCH (p:Person)-->(o) RETURN p.name, o.name"
    confined = ground(text, SCHEMA)
    for word in ("RETURN", "p.name", "o.name", "MATCH"):
        assert confined.offset_in_query(confined.text.index(word)) == text.index(word)


_NODES = st.builds(
    "({}{}{})".format,
    st.sampled_from(["", "a", "b", "`c d`"]),
    st.sampled_from(["", ":Person", ":Entity|Person", ":!Person&Entity", " IS Person"]),
    st.sampled_from(["", " {}", " {name: 'x', uuid: $u}", " {name: '(a)--(b)'}", " WHERE true"]),
)
_RELATIONSHIPS = st.sampled_from(
    [
        "--",
        "-->",
        "<--",
        "-[r]-",
        "-[:MENTIONS]->",
        "<-[*1..2]-",
        "-[q:RELATES_TO|MENTIONS {name: $n}]->",
        "-[]-",
    ]
)
_PATHS = st.tuples(_NODES, st.lists(st.tuples(_RELATIONSHIPS, _NODES), min_size=1, max_size=3)).map(
    lambda drawn: (
        drawn[0] + "".join(f"{relationship}{node}" for relationship, node in drawn[1]),
        1 + 2 * len(drawn[1]),
    )
)


@given(st.lists(_PATHS, min_size=5, max_size=5))
def test_every_pattern_is_confined_wherever_it_stands(paths: list[tuple[str, int]]) -> None:
    first, second, third, fourth, fifth = (path for path, _ in paths)
    text = f"MATCH {first}, p = {second} WHERE NOT ({third}) OR EXISTS {{ {fourth} }} RETURN [{fifth} | 1]"
    reading = parse(text)
    confined = confine(text, reading).text
    assert confined.count("group_id: $memstrata_group") == sum(parts for _, parts in paths)
    bare = re.sub(r"\[\{group_id: \$memstrata_group\}\]| \{group_id: \$memstrata_group\}", "", confined)
    bare = re.sub(r"group_id: \$memstrata_group(, )?", "", bare)
    assert bare.replace(" {}", "") == text.replace(" {}", "")


def _tried(text: str) -> tuple[Problem, ...]:
    try:
        parse(text)
    except UngroundedQuery as error:
        return error.problems
    return ()


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    query = f"MATCH {text}"
    assert all(0 <= one.offset <= len(query) for one in _tried(query))
