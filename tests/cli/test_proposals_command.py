"""`memstrata review proposals`, `accept-proposal` and `reject-proposal`."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from memstrata.language_models.scripted import ScriptedModel
from memstrata.settings import opened
from memstrata.workflow.adjudicate import adjudicate

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Memstrata

    from memstrata.ports import Prompt


def _exclusive(prompt: Prompt) -> str:
    numbers = re.findall(r"^(\d+)\. ", prompt.user, re.MULTILINE)
    told = [{"item": int(one), "reason": "one home", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


@pytest.fixture
def proposing(memstrata: Memstrata) -> Memstrata:
    """A memory in which a model proposes to declare two relations."""
    for predicate in ("settled_in", "rents"):
        for name in ("Leeds", "Porto"):
            given = json.dumps({"subject": "Noor", "predicate": predicate, "object": name})
            assert memstrata("add", given, "--type", "fact_triple", "--time", "2024-05-02").status == 0
    assert memstrata("work", "--once").status == 0
    with opened() as installation:
        adjudicate(replace(installation, model=ScriptedModel(_exclusive)), "default", whole=True)
    return memstrata


def predicates(memstrata: Memstrata, *words: str) -> list[str]:
    done = memstrata("review", "proposals", "--json", *words)
    assert done.status == 0, done.err
    return [one["predicate"] for one in json.loads(done.out)["items"]]


def test_what_is_proposed_is_shown_with_its_facts_and_what_to_declare(proposing: Memstrata) -> None:
    shown = proposing("review", "proposals")
    assert "settled_in  (open)" in shown.out
    assert "scripted: one home" in shown.out
    assert "- Noor settled in Leeds" in shown.out
    assert "to declare: {name: settled_in, cardinality: one}" in shown.out
    assert predicates(proposing, "--limit", "1") == ["rents"]
    assert "more: --after rents" in proposing("review", "proposals", "--limit", "1").out
    assert predicates(proposing, "--after", "rents") == ["settled_in"]


def test_verdicts_are_kept_with_who_and_why_and_a_dry_run_decides_nothing(proposing: Memstrata) -> None:
    dry = proposing("review", "reject-proposal", "rents", "--dry-run")
    assert "would be decided: reject" in dry.out
    assert predicates(proposing) == ["rents", "settled_in"]
    done = proposing("review", "reject-proposal", "rents", "--who", "ada", "--reason", "two boats")
    assert (done.status, "decided: reject" in done.out) == (0, True)
    accepted = json.loads(proposing("review", "accept-proposal", "settled_in", "--json").out)
    assert (accepted["verdict"], len(accepted["decision_ids"])) == ("accept", 1)
    assert predicates(proposing) == ["settled_in"]
    (rejected,) = json.loads(proposing("review", "proposals", "--state", "rejected", "--json").out)["items"]
    assert (rejected["verdict"]["who"], rejected["verdict"]["reason"]) == ("ada", "two boats")
    assert "rents  (rejected by ada)" in proposing("review", "proposals", "--state", "rejected").out


def test_once_the_ontology_declares_it_nothing_is_proposed(
    proposing: Memstrata, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = json.loads(proposing("review", "proposals", "--json").out)["items"]
    lines = "".join(f"- {one['declaration']}\n" for one in found)
    (folder / "ontology.yaml").write_text(f"relations:\n{lines}", encoding="utf-8")
    monkeypatch.setenv("MEMSTRATA_ONTOLOGY", str(folder / "ontology.yaml"))
    assert proposing("work", "--once").status == 0
    assert "nothing is proposed" in proposing("review", "proposals").out
    refused = proposing("review", "accept-proposal", "rents")
    assert (refused.status, "declared by now" in refused.err) == (2, True)
