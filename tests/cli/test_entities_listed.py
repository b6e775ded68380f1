"""`memstrata entities list`, through the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from memstrata.cli import cli

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def _run(*words: str) -> str:
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_entities_are_listed_by_name_and_a_retraction_takes_them_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMSTRATA_HOME", str(tmp_path / "memory"))
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    triple = {"subject": "Zoe Park", "predicate": "WORKS_AT", "object": {"name": "Acme", "type": "company"}}
    _run("add", json.dumps(triple), "--type", "fact_triple", "--id", "one")
    _run("work", "--once")

    listed = json.loads(_run("entities", "list", "--json"))
    assert [one["name"] for one in listed] == ["Acme", "Zoe Park"]
    assert json.loads(_run("entities", "list", "--orphans", "--json")) == []
    assert "Acme" in _run("entities", "list")

    _run("retract", "one")
    _run("work", "--once")
    assert json.loads(_run("entities", "list", "--json")) == []
