"""The tool `review_proposals`: relations that a model proposes to declare, and verdicts by an agent."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from agents import ALL, over_http, over_stdio, served

from memstrata import Memory
from memstrata.language_models.scripted import ScriptedModel
from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens
from memstrata.settings import load_settings, opened
from memstrata.workflow.adjudicate import adjudicate

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.ports import Prompt

pytestmark = pytest.mark.slow

GROUP, OTHER = "acme/eng", "globex/lab"


def _exclusive(prompt: Prompt) -> str:
    numbers = re.findall(r"^(\d+)\. ", prompt.user, re.MULTILINE)
    told = [{"item": int(one), "reason": "one home", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A memory in which a model proposes relations, other ones in either group."""
    where = tmp_path / "home"
    with opened(load_settings(MEMSTRATA_HOME=where, MEMSTRATA_EMBEDDER="none")) as made:
        memory = Memory.on(made)
        for group, predicate in ((GROUP, "settled_in"), (GROUP, "rents"), (OTHER, "drinks")):
            for name in ("Leeds", "Porto"):
                triple = {"subject": "Noor", "predicate": predicate, "object": name}
                memory.add(triple, group=group, time="2025-05-01")
        for group in (GROUP, OTHER):
            adjudicate(replace(made, model=ScriptedModel(_exclusive)), group, whole=True)
        memory.work()
    return where


def test_an_agent_lists_proposals_and_its_verdicts_are_committed(home: Path) -> None:
    with over_stdio(home, *ALL) as agent:
        listed = agent.ask("review_proposals", group_id=GROUP, max_items=1)
        (rents,) = listed.data["proposals"]
        assert (rents["relation"], rents["state"], rents["reason"]) == ("rents", "open", "one home")
        assert {one["fact"] for one in rents["facts"]} == {"Noor rents Leeds", "Noor rents Porto"}
        assert "Noor rents Porto" in listed.text
        assert "to declare it: - {name: rents, cardinality: one}" in listed.text
        cursor = listed.data["next_cursor"]
        (settled,) = agent.ask("review_proposals", group_id=GROUP, cursor=cursor).data["proposals"]
        assert settled["relation"] == "settled_in"
        decided = agent.ask("review_proposals", action="reject", group_id=GROUP, relation="rents")
        assert decided.data["is_committed"] is True
        accepted = agent.ask("review_proposals", action="accept", group_id=GROUP, relation="settled_in")
        assert "declares the relation: - {name: settled_in, cardinality: one}" in accepted.text
        (left,) = agent.ask("review_proposals", group_id=GROUP).data["proposals"]
        assert (left["relation"], left["state"]) == ("settled_in", "accepted")
        (gone,) = agent.ask("review_proposals", group_id=GROUP, state="rejected").data["proposals"]
        assert gone["verdict"] == decided.data["decision"]


def test_a_verdict_that_cannot_stand_says_why_and_changes_nothing(home: Path) -> None:
    with over_stdio(home, *ALL) as agent:
        for wrong, said in (
            ({"action": "accept"}, "give its relation"),
            ({"action": "accept", "relation": "drinks"}, "not proposed in group 'acme/eng'"),
            ({"relation": "rents"}, "give action too"),
            ({"state": "odd"}, "state"),
        ):
            refused = agent.call("review_proposals", group_id=GROUP, **wrong)
            assert refused.kind == "incorrect", wrong
            assert said in refused.text, wrong
        states = [one["state"] for one in agent.ask("review_proposals", group_id=GROUP).data["proposals"]]
        assert states == ["open", "open"]


def test_a_token_reaches_the_proposals_of_its_group_and_decides_only_with_the_right(home: Path) -> None:
    reader = Tokens(home).create("reader", groups=[GROUP], rights=[Right.READ])[1]
    with served(home, *ALL) as address, over_http(address, reader) as agent:
        assert len(agent.ask("review_proposals").data["proposals"]) == 2
        foreign = agent.call("review_proposals", group_id=OTHER)
        assert foreign.kind == "forbidden"
        assert "drinks" not in foreign.whole
        for action in ("accept", "reject"):
            refused = agent.call("review_proposals", action=action, group_id=GROUP, relation="rents")
            assert refused.kind == "forbidden"
