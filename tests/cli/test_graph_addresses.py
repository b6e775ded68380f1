"""One store may be named in several ways, and a password that stands in an address is shown to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.settings import address_of, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Memstrata

    from memstrata.settings import Settings

WITH_PASSWORD = "bolt://ada:hunter2@127.0.0.1:9"  # noqa: S105 (of nobody)


def named(store: str) -> Settings:
    return load_settings(MEMSTRATA_STORE=store, NEO4J_URI="bolt://127.0.0.1:7687")


@pytest.mark.parametrize(
    "store", ["neo4j", "bolt://localhost", "neo4j://127.0.0.1:7687", "bolt+s://localhost/"]
)
def test_a_server_has_one_address_whatever_it_is_called(store: str) -> None:
    assert address_of(named(store)) == "127.0.0.1:7687"


@pytest.mark.parametrize("store", ["bolt://localhost:7688", "neo4j://graph.example", "sqlite:///g.db", ""])
def test_other_stores_have_other_addresses(store: str) -> None:
    assert address_of(named(store)) != "127.0.0.1:7687"


@pytest.mark.parametrize(
    "there", ["sqlite", "sqlite:///{home}/graph.db", "sqlite:///.memstrata/../.memstrata/graph.db"]
)
def test_the_store_in_use_is_not_projected_onto_itself(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch, there: str, folder: Path
) -> None:
    monkeypatch.setenv("MEMSTRATA_HOME", ".memstrata")
    assert memstrata("add", "Ada works at Acme.").status == 0
    done = memstrata("project", "--to", there.format(home=folder / ".memstrata"))
    assert done.status == 2
    assert "that is the store in use; `memstrata rebuild`" in done.err


def test_a_group_is_not_imported_onto_itself(memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMSTRATA_STORE", "bolt://127.0.0.1:9")
    done = memstrata("import", "neo4j://localhost:9", "--from-group", "plant", "--group", "plant")
    assert done.status == 2
    assert "name another with --group" in done.err


@pytest.mark.parametrize("command", [["status"], ["import", "--from-group", "g"]])
def test_a_password_in_neo4j_uri_is_refused_and_not_shown(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("MEMSTRATA_STORE", "neo4j")
    monkeypatch.setenv("NEO4J_URI", WITH_PASSWORD)
    done = memstrata(*command)
    assert done.status == 2
    assert "set NEO4J_USER and NEO4J_PASSWORD" in done.err
    assert "hunter2" not in done.out + done.err


def test_a_password_in_the_address_to_import_from_is_refused_and_not_shown(memstrata: Memstrata) -> None:
    done = memstrata("import", WITH_PASSWORD, "--from-group", "g")
    assert done.status == 2
    assert "hunter2" not in done.out + done.err


def test_a_log_without_its_graph_is_no_empty_memory(memstrata: Memstrata, folder: Path) -> None:
    memstrata("add", "Ada works at Acme.", "--wait")
    for file in folder.rglob("graph.db*"):
        file.unlink()
    assert "the graph lacks what the log has of 1 group" in memstrata("status").out
