from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # docs is no part of the installed package

from docs.reference import FILE, helps, page

HELPS = dict(helps())
JSON_LINES_ONLY = {"memstrata fold", "memstrata resolve", "memstrata extract", "memstrata export"}
WRITING = {
    "memstrata add",
    "memstrata ingest",
    "memstrata work",
    "memstrata rebuild",
    "memstrata retract",
    "memstrata core append",
    "memstrata core clear",
    "memstrata core replace",
    "memstrata core rule",
    "memstrata core set",
    "memstrata entities merge",
    "memstrata entities keep-apart",
    "memstrata init",
    "memstrata dead-letters",
    "memstrata token create",
    "memstrata token revoke",
}
GROUPS = {
    "memstrata",
    *(f"memstrata {one}" for one in ("core", "entities", "extractor", "review", "token")),
}
SERVERS = {"memstrata mcp", "memstrata serve"}


def test_the_reference_is_what_the_commands_say() -> None:
    # Also the snapshot of every command's --help: a change of the surface shows in the diff of docs/cli.md.
    assert FILE.read_text(encoding="utf-8") == page(), "run: python -m docs.reference --write"


@pytest.mark.parametrize("command", sorted(set(HELPS) - {"memstrata"}))
def test_the_help_of_a_command_shows_how_it_is_called(command: str) -> None:
    example = re.search(r"^\s+\$ (memstrata .*)$", HELPS[command], re.MULTILINE)
    assert example is not None
    assert example.group(1).startswith(command)


@pytest.mark.parametrize("command", sorted(set(HELPS) - JSON_LINES_ONLY - GROUPS - SERVERS))
def test_every_command_answers_in_json_on_demand(command: str) -> None:
    assert "--json" in HELPS[command]


@pytest.mark.parametrize("command", sorted(WRITING))
def test_what_writes_can_be_tried_without_writing(command: str) -> None:
    assert "--dry-run" in HELPS[command]
