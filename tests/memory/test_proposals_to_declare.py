"""`memory.review.proposals` and the verdicts on them, here and over HTTP, blocking or not."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest
from starlette.testclient import TestClient

from memstrata import AsyncMemory, Memory
from memstrata.errors import Forbidden, Incorrect
from memstrata.language_models.scripted import ScriptedModel
from memstrata.memory.access import Grant, Right
from memstrata.model import By, DecisionKind
from memstrata.service.app import application
from memstrata.settings import load_settings, opened
from memstrata.workflow.adjudicate import adjudicate
from memstrata.workflow.proposals import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import Installation, Prompt


def _exclusive(prompt: Prompt) -> str:
    numbers = re.findall(r"^(\d+)\. ", prompt.user, re.MULTILINE)
    told = [{"item": int(one), "reason": "one home", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """A memory in whose group `default` a model proposes to declare two relations."""
    settings = load_settings(MEMSTRATA_HOME=tmp_path / "home", MEMSTRATA_EMBEDDER="none")
    with opened(settings) as made:
        memory = Memory.on(made)
        for predicate in ("settled_in", "rents"):
            for name in ("Leeds", "Porto"):
                memory.add({"subject": "Noor", "predicate": predicate, "object": name}, time="2025-05-01")
        adjudicate(replace(made, model=ScriptedModel(_exclusive)), "default", whole=True)
        memory.work()
        yield made


@pytest.fixture(params=["here", "over HTTP"])
def memory(installation: Installation, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    if request.param == "here":
        yield Memory.on(installation)
        return
    app = application(installation, tmp_path / "home")
    with TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 1)) as client:
        yield Memory.over(client)


def test_what_is_proposed_is_listed_page_by_page_with_its_facts(memory: Memory) -> None:
    first = memory.review.proposals(limit=1)
    (rents,) = first.items
    assert (rents.predicate, rents.state, rents.times) == ("rents", State.OPEN, 1)
    assert (rents.who, rents.reason) == ("scripted", "one home")
    assert {one.fact for one in rents.facts} == {"Noor rents Leeds", "Noor rents Porto"}
    rest = memory.review.proposals(cursor=first.following)
    assert [one.predicate for one in rest.items] == ["settled_in"]
    assert rest.following is None


def test_verdicts_are_decisions_with_their_reasons_and_the_last_one_counts(memory: Memory) -> None:
    rejected = memory.review.reject_proposal("rents", reason="two boats")
    assert (rejected.kind, rejected.by) == (DecisionKind.ADJUDICATE, By.PERSON)
    accepted = memory.review.accept_proposal("settled_in", wait=False)
    assert [one.predicate for one in memory.review.proposals().items] == ["settled_in"]
    (settled,) = memory.review.proposals(state="accepted").items
    assert settled.verdict == accepted
    (rents,) = memory.review.proposals(state=State.REJECTED).items
    assert rents.verdict == rejected
    assert rents.verdict.reason == "two boats"
    memory.review.accept_proposal("rents")
    assert memory.review.proposals(state="rejected").items == ()


def test_what_cannot_stand_is_refused_with_its_reason_and_nothing_is_decided(memory: Memory) -> None:
    with pytest.raises(Incorrect, match="not proposed in group 'default' to declare 'drinks'"):
        memory.review.accept_proposal("drinks")
    with pytest.raises(Incorrect, match="state is 'done'; expected 'open' or 'accepted' or 'rejected'"):
        memory.review.proposals(state="done")
    with pytest.raises(Incorrect, match="limit"):
        memory.review.proposals(limit=0)
    with pytest.raises(Incorrect, match="did you mean reason"):
        memory.review.reject_proposal("rents", reson="typo")  # type: ignore[call-arg]
    assert {one.state for one in memory.review.proposals().items} == {State.OPEN}


def test_whoever_may_only_read_decides_nothing_and_a_stranger_sees_nothing(
    installation: Installation,
) -> None:
    reading = Grant(who="bo", groups=("default",), rights=frozenset({Right.READ}))
    reader = Memory.on(installation, grant=reading)
    assert len(reader.review.proposals().items) == 2
    for judge in (reader.review.accept_proposal, reader.review.reject_proposal):
        with pytest.raises(Forbidden):
            judge("rents")
    elsewhere = Grant(who="cy", groups=("other",), rights=frozenset(Right))
    stranger = Memory.on(installation, grant=elsewhere)
    with pytest.raises(Forbidden):
        stranger.review.proposals()
    with pytest.raises(Incorrect, match="not proposed in group 'other'"):
        stranger.review.reject_proposal("rents", group="other")
    assert {one.state for one in reader.review.proposals().items} == {State.OPEN}


def test_the_same_without_blocking(installation: Installation) -> None:
    async def settled() -> list[str]:
        memory = AsyncMemory.on(installation)
        await memory.review.reject_proposal("rents")
        return [one.predicate for one in (await memory.review.proposals()).items]

    assert anyio.run(settled) == ["settled_in"]
