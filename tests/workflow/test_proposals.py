"""Relations that are proposed to be declared `one`: which are told, and what a person's verdict does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import yaml

from memstrata import intake
from memstrata.errors import Incorrect
from memstrata.language_models.scripted import ScriptedModel
from memstrata.model import By, DecisionKind, SourceType
from memstrata.settings import load_settings, opened
from memstrata.workflow.adjudicate import adjudicate
from memstrata.workflow.intake import accept, decide
from memstrata.workflow.proposals import State, proposals, ruling_on_proposal
from memstrata.workflow.rebuild import rebuild
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import Installation, Prompt

GROUP = "g"


def exclusive(prompt: Prompt) -> str:
    """Whatever is asked, only one can be true."""
    numbers = [line.partition(".")[0] for line in prompt.user.splitlines() if line[:1].isdigit()]
    told = [{"item": int(one), "reason": "one home", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Installation]:
    with opened(load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")) as installation:
        yield replace(installation, model=ScriptedModel(exclusive))


def tell(home: Installation, subject: str, predicate: str, *objects: str, group: str = GROUP) -> None:
    options = intake.Options(group_id=group)
    for name in objects:
        triple = json.dumps({"subject": subject, "predicate": predicate, "object": name})
        draft = replace(intake.read_text(triple, options), source_type=SourceType.FACT_TRIPLE)
        list(accept(home, [draft]))
    work(home)


def asked(home: Installation, group: str = GROUP) -> None:
    adjudicate(home, group, whole=True)
    compact(home)


def names(home: Installation, *states: State, group: str = GROUP) -> list[str]:
    return [one.predicate for one in proposals(home, group, states or (State.OPEN, State.ACCEPTED))]


def ruled(home: Installation, kind: DecisionKind, predicate: str) -> None:
    made = ruling_on_proposal(home, GROUP, kind, predicate)
    decide(home, replace(made, who="ada", reason="asked around"))
    compact(home)


def test_a_proposal_tells_its_facts_and_how_often_it_was_made_and_what_to_declare(
    home: Installation,
) -> None:
    tell(home, "Noor", "settled_in", "Leeds", "Porto")
    tell(home, "Bo", "settled_in", "Oslo", "Bergen")
    asked(home)
    (proposal,) = proposals(home, GROUP)
    assert (proposal.state, proposal.times, proposal.verdict) == (State.OPEN, 2, None)
    assert (proposal.who, proposal.reason) == ("scripted", "one home")
    believed = {one.id: one.fact for one in home.graph.all_facts(GROUP)}
    assert {one.fact_id: one.fact for one in proposal.facts} == believed
    assert proposal.declaration == "{name: settled_in, cardinality: one}"


def test_what_is_to_be_declared_is_read_back_whatever_the_relation_is_called(home: Installation) -> None:
    odd = "no: {one}, “two” & #3"
    tell(home, "Noor", odd, "Leeds", "Porto")
    asked(home)
    (proposal,) = proposals(home, GROUP)
    assert yaml.safe_load(proposal.declaration) == {"name": proposal.predicate, "cardinality": "one"}
    assert len(proposal.declaration.splitlines()) == 1


def test_a_rejected_one_is_told_no_more_whoever_proposes_it_again(home: Installation) -> None:
    tell(home, "Noor", "settled_in", "Leeds", "Porto")
    asked(home)
    ruled(home, DecisionKind.REJECT, "settled_in")
    assert names(home) == []
    tell(home, "Bo", "settled_in", "Oslo", "Bergen")
    asked(home)
    assert names(home) == []
    (proposal,) = proposals(home, GROUP, [State.REJECTED])
    assert proposal.times == 2
    assert proposal.verdict is not None
    kept = (proposal.verdict.by, proposal.verdict.who, proposal.verdict.reason)
    assert kept == (By.PERSON, "ada", "asked around")


def test_an_accepted_one_changes_no_fact_and_is_told_until_it_is_declared(home: Installation) -> None:
    tell(home, "Noor", "settled_in", "Leeds", "Porto")
    before = set(home.graph.all_facts(GROUP))
    asked(home)
    ruled(home, DecisionKind.ACCEPT, "settled_in")
    work(home)
    assert set(home.graph.all_facts(GROUP)) == before
    (proposal,) = proposals(home, GROUP)
    assert proposal.state is State.ACCEPTED
    work(replace(home, ontology=f"relations:\n  - {proposal.declaration}\n"))
    assert names(home, *State) == []


def test_the_last_verdict_counts_and_stands_after_a_rebuild(home: Installation) -> None:
    tell(home, "Noor", "settled_in", "Leeds", "Porto")
    asked(home)
    for kind in (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.ACCEPT):
        ruled(home, kind, "settled_in")
    work(home)
    rebuild(home, GROUP)
    assert names(home, State.ACCEPTED) == ["settled_in"]
    assert names(home, State.REJECTED) == []


def test_a_verdict_answers_no_question_and_opens_none(home: Installation) -> None:
    tell(home, "Noor", "settled_in", "Leeds", "Porto")
    asked(home)
    ruled(home, DecisionKind.REJECT, "settled_in")
    work(home)
    again = adjudicate(home, GROUP, whole=True)
    assert (again.asked, again.calls) == (0, 0)


def test_they_are_told_by_name_page_by_page(home: Installation) -> None:
    for predicate in ("sits_on", "settled_in", "rents"):
        tell(home, "Noor", predicate, "Leeds", "Porto")
    asked(home)
    assert names(home) == ["rents", "settled_in", "sits_on"]
    page = proposals(home, GROUP, after="rents", limit=1)
    assert [one.predicate for one in page] == ["settled_in"]


def test_a_group_knows_nothing_of_the_proposals_and_verdicts_of_another(home: Installation) -> None:
    for group in (GROUP, "other"):
        tell(home, "Noor", "settled_in", "Leeds", "Porto", group=group)
        asked(home, group)
    ruled(home, DecisionKind.REJECT, "settled_in")
    assert (names(home), names(home, group="other")) == ([], ["settled_in"])


@pytest.mark.parametrize("predicate", ["drinks", "settled"])
def test_what_nobody_proposes_can_be_neither_accepted_nor_rejected(
    home: Installation, predicate: str
) -> None:
    tell(home, "Noor", "settled_in", "Leeds", "Porto")
    asked(home)
    with pytest.raises(Incorrect, match=f"not proposed in group 'g' to declare '{predicate}'"):
        ruling_on_proposal(home, GROUP, DecisionKind.REJECT, predicate)
