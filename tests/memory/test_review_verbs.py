"""`memory.review`: what verification left to a person, here and over HTTP, blocking or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest
from starlette.testclient import TestClient

from memstrata import AsyncMemory, Memory
from memstrata.errors import Forbidden, Incorrect, NotThere
from memstrata.memory.access import Grant, Right
from memstrata.memory.reviewing import Reviewing
from memstrata.model import By, DecisionKind
from memstrata.service.app import application
from memstrata.settings import load_settings, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import Installation

RULE = "times_are_plausible"


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    settings = load_settings(MEMSTRATA_HOME=tmp_path / "home", MEMSTRATA_EMBEDDER="none")
    with opened(settings) as made:
        yield made


@pytest.fixture(params=["here", "over HTTP"])
def memory(installation: Installation, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    if request.param == "here":
        yield Memory.on(installation)
        return
    app = application(installation, tmp_path / "home")
    with TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 1)) as client:
        yield Memory.over(client)


def doubtful(memory: Memory, *objects: str) -> None:
    """Triples that are dated to the year 1."""
    for name in objects:
        triple = {"subject": "Maren", "predicate": "works_at", "object": name}
        memory.add({**triple, "valid_at": "0001-01-01T00:00:00Z"}, time="2025-05-01")


def facts(memory: Memory) -> list[str]:
    return sorted(one.version.fact.fact for one in memory.get_all().items)


def test_what_waits_is_listed_page_by_page_and_counted(memory: Memory) -> None:
    doubtful(memory, "Oakmere", "Ashby", "Elmford")
    assert memory.review.counts() == {RULE: 3}
    first = memory.review.list(limit=2)
    rest = memory.review.list(limit=2, cursor=first.following)
    assert rest.following is None
    found = [*first.items, *rest.items]
    assert {one.says.object for one in found if one.says} == {"Oakmere", "Ashby", "Elmford"}
    assert {one.rule for one in found} == {RULE}
    assert memory.review.list(rule="is_stated").items == ()
    assert memory.review.list(matter="lost").items == ()
    assert len(memory.review.list(relation="works_at").items) == 3
    assert memory.review.list(relation="lives_in").items == ()


def test_a_write_tells_how_many_facts_wait_for_a_person(memory: Memory) -> None:
    triple = {"subject": "Maren", "predicate": "works_at", "object": "Oakmere"}
    doubted = memory.add({**triple, "valid_at": "0001-01-01T00:00:00Z"}, time="2025-05-01")
    assert (doubted.created, doubted.held) == ((), 1)
    assert memory.add({**triple, "object": "Ashby"}, time="2025-05-02").held == 0


def test_one_is_shown_with_the_text_of_its_episode_also_once_it_counts(memory: Memory) -> None:
    doubtful(memory, "Oakmere")
    (entry,) = memory.review.list().items
    shown = memory.review.show(entry.entry_id)
    assert shown.entry == entry
    assert shown.content is not None
    assert "Oakmere" in shown.content
    memory.review.accept(entry.entry_id)
    (fact,) = memory.get_all().items
    assert memory.review.show(fact.version.fact.id).content == shown.content
    with pytest.raises(NotThere, match="nothing that waits for review"):
        memory.review.show("nothing")


def test_verdicts_are_decisions_with_their_reasons_and_take_effect(memory: Memory) -> None:
    doubtful(memory, "Oakmere", "Ashby", "Elmford")
    ids = {one.says.object: one.entry_id for one in memory.review.list().items if one.says}
    accepted = memory.review.accept(ids["Oakmere"], reason="it is that old")
    rejected = memory.review.reject(ids["Ashby"])
    edited = memory.review.edit(ids["Elmford"], {"valid_at": "2019"})
    kinds = [accepted.kind, rejected.kind, edited.kind]
    assert kinds == [DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.EDIT]
    assert (accepted.reason, accepted.by) == ("it is that old", By.PERSON)
    assert facts(memory) == ["Maren works at Elmford", "Maren works at Oakmere"]
    assert memory.review.counts() == {}


def test_all_that_one_rule_keeps_waiting_is_ruled_at_once(memory: Memory) -> None:
    doubtful(memory, "Oakmere", "Ashby")
    assert memory.review.accept_all(rule=RULE, dry_run=True) == 2
    assert memory.review.counts() == {RULE: 2}
    assert memory.review.reject_all(rule="is_stated") == 0
    assert memory.review.accept_all(rule=RULE) == 2
    assert facts(memory) == ["Maren works at Ashby", "Maren works at Oakmere"]
    doubtful(memory, "Elmford")
    assert memory.review.reject_all(rule=RULE) == 1
    assert (len(facts(memory)), memory.review.counts()) == (2, {})


def test_a_verdict_that_is_not_waited_for_comes_with_the_next_pass(memory: Memory) -> None:
    doubtful(memory, "Oakmere")
    (entry,) = memory.review.list().items
    memory.review.accept(entry.entry_id, wait=False)
    assert facts(memory) == []
    memory.work()
    assert facts(memory) == ["Maren works at Oakmere"]


def test_what_cannot_stand_is_refused_with_its_reason_and_nothing_is_decided(memory: Memory) -> None:
    doubtful(memory, "Oakmere")
    (entry,) = memory.review.list().items
    with pytest.raises(Incorrect, match="nothing that waits for review"):
        memory.review.accept("nothing")
    with pytest.raises(Incorrect, match="expected one of started"):
        memory.review.edit(entry.entry_id, {"kind": "was"})
    with pytest.raises(Incorrect, match="colour"):
        memory.review.edit(entry.entry_id, {"colour": "red"})
    with pytest.raises(Incorrect, match="matter is 'hold'; expected 'held' or 'lost'"):
        memory.review.list(matter="hold")
    with pytest.raises(Incorrect, match="did you mean reason"):
        memory.review.accept(entry.entry_id, reson="typo")  # type: ignore[call-arg]
    assert memory.review.counts() == {RULE: 1}


def test_an_unknown_keyword_is_refused_beside_those_that_there_are(memory: Memory) -> None:
    with pytest.raises(Incorrect, match=r"ruel is no keyword here; did you mean rule\?"):
        memory.review.list(ruel=RULE)  # type: ignore[call-arg]
    with pytest.raises(Incorrect, match="there are: matter, rule, relation, limit, cursor, group, user_id"):
        memory.review.list(xyz=RULE)  # type: ignore[call-arg]
    with pytest.raises(Incorrect, match=r"did you mean relation\?"):
        memory.review.accept_all(relatoin="works_at")  # type: ignore[call-arg]
    with pytest.raises(Incorrect, match=r"did you mean wait\?"):
        memory.add("Maren works at Oakmere.", wiat=True)  # type: ignore[call-arg]


def test_a_batch_is_meant_by_rule_or_relation_and_never_everything(memory: Memory) -> None:
    doubtful(memory, "Oakmere", "Ashby")
    for all_ in (memory.review.accept_all, memory.review.reject_all):
        with pytest.raises(Incorrect, match="name what is meant: rule, relation or both"):
            all_()
    assert memory.review.reject_all(relation="lives_in") == 0
    assert memory.review.reject_all(relation="works_at") == 2
    assert memory.review.counts() == {}


def test_whoever_may_only_read_sees_and_decides_nothing(installation: Installation) -> None:
    doubtful(Memory.on(installation), "Oakmere")
    reader = Memory.on(
        installation, grant=Grant(who="bo", groups=("default",), rights=frozenset({Right.READ}))
    )
    (entry,) = reader.review.list().items
    with pytest.raises(Forbidden):
        reader.review.accept(entry.entry_id)
    with pytest.raises(Forbidden):
        reader.review.accept_all(rule=RULE)
    stranger = Memory.on(installation, grant=Grant(who="bo", groups=("other",), rights=frozenset(Right)))
    with pytest.raises(Forbidden):
        stranger.review.list()
    assert reader.review.counts() == {RULE: 1}


def test_what_an_item_says_is_told_to_whoever_may_read_alone(installation: Installation) -> None:
    doubtful(Memory.on(installation), "Oakmere")
    (entry,) = Memory.on(installation).review.list().items
    for rights, said in ((frozenset({Right.DECIDE}), ""), (frozenset(Right), "Maren works at Oakmere")):
        grant = Grant(who="bo", groups=("default",), rights=rights)
        desk = Reviewing(installation=installation, grant=grant)
        assert desk.sentence("default", entry.entry_id) == said
        assert desk.sentence("default", "nothing") == ""


def test_the_same_without_blocking(installation: Installation) -> None:
    doubtful(Memory.on(installation), "Oakmere")

    async def settled() -> tuple[bool, object]:
        memory = AsyncMemory.on(installation)
        (entry,) = (await memory.review.list()).items
        await memory.review.reject(entry.entry_id)
        return entry.says is not None, await memory.review.counts()

    assert anyio.run(settled) == (True, {})
