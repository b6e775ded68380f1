from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from console_blocks import missing, typed_in

if TYPE_CHECKING:
    from neo4j_server import Server

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "docs/quickstart.md")
MORE = ("docs/neo4j.md", "docs/search.md", "docs/embedding.md", "docs/operations.md")


@pytest.fixture
def shell_environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `memstrata` is this checkout, and no setting is left over."""
    commands = tmp_path / "bin"
    commands.mkdir()
    script = commands / "memstrata"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memstrata "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    return {
        **clean,
        "PATH": f"{commands}{os.pathsep}{clean['PATH']}",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "100",
    }


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_types_gives_what_it_shows(
    document: str, shell_environment: dict[str, str], tmp_path: Path
) -> None:
    _type(document, shell_environment, tmp_path)


@pytest.mark.slow
def test_what_the_document_on_neo4j_types_gives_what_it_shows(
    neo4j_server: Server, neo4j_graph: object, shell_environment: dict[str, str], tmp_path: Path
) -> None:
    server = {
        "MEMSTRATA_STORE": "neo4j",
        "NEO4J_URI": neo4j_server.uri,
        "NEO4J_USER": neo4j_server.user,
        "NEO4J_PASSWORD": neo4j_server.password,
    }
    _type("docs/neo4j.md", shell_environment | server, tmp_path)


def _type(document: str, environment: dict[str, str], tmp_path: Path) -> None:
    """Runs every command of the document in an empty folder, and looks for what it shows."""
    folder = tmp_path / "folder"
    folder.mkdir()
    typed = typed_in((ROOT / document).read_text(encoding="utf-8"))
    assert typed
    for one in typed:
        done = subprocess.run(
            ["bash", "-c", one.command],  # noqa: S607
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=240,
            check=False,
        )
        shown = f"{document}: $ {one.command}\n{done.stdout}"
        assert done.returncode == one.status, shown
        assert missing(one.seen, done.stdout) is None, f"{missing(one.seen, done.stdout)!r} in {shown}"


@pytest.mark.parametrize("document", [*DOCUMENTS, "CONTRIBUTING.md", "examples/README.md", *MORE])
def test_links_between_documents_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    inside = [link for link in links if "://" not in link]
    gone = [link for link in inside if not ((ROOT / document).parent / link).exists()]
    assert not gone


def test_a_line_that_is_not_shown_is_missed() -> None:
    assert missing(["b", "a"], "a\nb\n") == "a"
    assert missing(["a", "c"], "a  \nb\nc\n") is None
    assert missing(["2025-01-15 09:30 x"], "2026-11-30 11:48 x") is None


def test_a_status_belongs_to_the_command_above_it() -> None:
    (first, second) = typed_in("```console\n$ a\n$ b\n? 3\nsaid\n```\n")
    assert (first.command, first.status, first.seen) == ("a", 0, ())
    assert (second.command, second.status, second.seen) == ("b", 3, ("said",))
