"""How a Neo4j server carries out the statements of a commit that it plans while there is nothing yet."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.stores import neo4j as store
from memstrata.stores.neo4j.connection import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memstrata.stores.neo4j import Neo4jGraph

#: An index that finds everything of a group, or all things of that id in any group.
_WIDE = re.compile(r":(?!Group\()\w+\((?:group_id|uuid)\)")


def _of_commits() -> Iterator[str]:
    """What a commit sends, and what is read for it."""
    for file in files(store).joinpath("cypher").iterdir():
        name = file.name.removesuffix(".cypher")
        if file.name.endswith(".cypher") and (
            "$given" in statement(name) or "UNWIND $ids" in statement(name)
        ):
            yield name


def _steps(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield plan["operatorType"].partition("@")[0], plan.get("args", {}).get("Details", "")
    for below in plan.get("children", ()):
        yield from _steps(below)


@pytest.mark.slow
def test_no_statement_of_a_commit_looks_through_a_group(neo4j_graph: Neo4jGraph) -> None:
    names = sorted(_of_commits())
    assert {"standing", "add_facts", "names_under"} <= set(names)
    neo4j_graph._connection.execute("CALL db.clearQueryCaches()")
    wide = []
    with neo4j_graph._connection._driver.session() as session:
        for name in names:
            given = dict.fromkeys(re.findall(r"\$(\w+)", statement(name)))
            summary = session.run(f"EXPLAIN {statement(name)}", given).consume()
            wide += [
                (name, operator, details)
                for operator, details in _steps(summary.plan or {})
                if _WIDE.search(details) or operator in {"NodeByLabelScan", "AllNodesScan"}
            ]
    assert wide == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["versions_after", "entities_after"])
def test_a_page_of_a_list_is_read_in_the_order_of_an_index(neo4j_graph: Neo4jGraph, name: str) -> None:
    neo4j_graph._connection.execute("CALL db.clearQueryCaches()")
    given = {"group": "g", "id": "x", "since": 0, "limit": 10}
    with neo4j_graph._connection._driver.session() as session:
        summary = session.run(f"EXPLAIN {statement(name)}", given).consume()
    operators = {operator for operator, _ in _steps(summary.plan or {})}
    assert not {one for one in operators if "Sort" in one or "Top" in one}, operators
    assert any("UniqueIndexSeek" in one for one in operators), operators
