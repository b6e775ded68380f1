"""Calls that gave no reply are counted with what they took; replies are forgotten with their episodes."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from memstrata import intake
from memstrata.language_models.scripted_server import ScriptedServer, failure, hung_up, reply
from memstrata.model import DecisionKind, Draft, SourceType, TimeSource
from memstrata.ports import ListedBy
from memstrata.settings import load_settings, opened
from memstrata.workflow.adjudicate import adjudicate
from memstrata.workflow.costs import Meter, costs, forget_replies
from memstrata.workflow.estimate import estimate_waiting
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import accept
from memstrata.workflow.rules import decided
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from memstrata.language_models.scripted_server import Asked, Said
    from memstrata.ports import Installation

    Opening = Callable[..., AbstractContextManager[Installation]]

pytest.importorskip("openai")

BLOCK = re.compile(r"(?:Episode (\d+)|The episode), said on [^<]*<(text-\w+)>\n(.*?)\n</\2>", re.DOTALL)


def script(asked: Asked) -> Said:
    """Takes "A lives in B." from each text."""
    assertions, names = [], []
    for number, _, text in BLOCK.findall(asked.user):
        which = {"episode": int(number)} if number else {}
        for who, where in re.findall(r"(\w+) lives in (\w+)\.", text):
            names += [which | {"name": name} for name in (who, where)]
            told = f"{who} lives in {where}"
            item = {"subject": who, "predicate": "lives_in", "object": where, "fact": told}
            assertions.append(which | item | {"kind": "holds", "evidence": told, "confidence": 0.9})
    return reply(json.dumps({"entities": names, "assertions": assertions}), usage=(1_000, 50))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(script=script, refuses=["json_schema", "json_object"]) as running:
        yield running


@pytest.fixture
def opening(tmp_path: Path, server: ScriptedServer) -> Opening:
    @contextmanager
    def open_with(**given: Any) -> Iterator[Installation]:
        settings = {
            "MEMSTRATA_HOME": tmp_path / "home",
            "MEMSTRATA_EMBEDDER": "none",
            "MEMSTRATA_LLM_MODEL": "m",
            "MEMSTRATA_LLM_RETRIES": 1,
            "MEMSTRATA_LLM_CONCURRENCY": 1,
            "OPENAI_BASE_URL": server.url,
        }
        with opened(load_settings(**(settings | given))) as installation:
            yield installation

    return open_with


def turn(number: int, *, group: str = "g", where: str = "Leeds", saga: str | None = None) -> Draft:
    return Draft(
        group_id=group,
        source="test",
        source_type=SourceType.TEXT if saga is None else SourceType.MESSAGE,
        content=f"Noor{number} lives in {where}.",
        reference_time=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number),
        time_source=TimeSource.OWN,
        native_id=f"{group}-{number}",
        saga=saga,
        position=None if saga is None else number,
    )


def take_in(installation: Installation, *drafts: Draft) -> None:
    list(accept(installation, drafts))


@pytest.mark.parametrize(
    ("said", "requests"),
    [
        (failure(401, "no such key"), 1),
        (failure(429, "slow down", wait=600), 1),
        (failure(503, "busy"), 2),
        (hung_up(reply("a long reply that is broken off")), 3),  # the last asks whether it is the prompt
    ],
)
def test_an_endpoint_that_is_away_has_its_call_counted(
    opening: Opening, server: ScriptedServer, said: Said, requests: int
) -> None:
    server.script, server.refuses = (lambda _: said), ()
    with opening() as installation:
        take_in(installation, *map(turn, range(3)))
        compact(installation)
        meter = Meter(installation)
        assert extract(installation).stopped
        total = costs(installation).total
        assert (total.calls, total.failed) == (1, 1)
        assert total.calls + total.retries == requests == len(server.asked)
        assert total.seconds > 0
        assert (total.input_tokens, total.output_tokens) == (0, 0)
        told = meter.numbers()
        assert (told["calls"], told["failed_calls"], told["retries"]) == (1, 1, requests - 1)


def test_a_prompt_that_breaks_the_server_is_counted_for_its_episode(
    opening: Opening, server: ScriptedServer
) -> None:
    server.script = lambda asked: failure(500, "boom") if "Noor1" in asked.user else script(asked)
    with opening() as installation:
        take_in(installation, turn(1), turn(2))
        work(installation)
        rows = costs(installation, [ListedBy.EPISODE]).rows
        assert sorted((row.calls, row.failed) for row in rows) == [(1, 0), (1, 1)]


def test_a_budget_in_calls_counts_those_that_failed(opening: Opening, server: ScriptedServer) -> None:
    server.script = lambda asked: failure(500, "boom") if "Noor" in asked.user else reply("yes")
    with opening(MEMSTRATA_BUDGET_DAY="3 calls") as installation:
        take_in(installation, *map(turn, range(9)))
        compact(installation)
        done = extract(installation)
        assert "MEMSTRATA_BUDGET_DAY = '3 calls'" in done.stopped
        assert (costs(installation).total.calls, costs(installation).total.failed) == (3, 3)


def test_what_failed_does_not_make_replies_look_cheaper(opening: Opening, server: ScriptedServer) -> None:
    with opening() as installation:
        take_in(installation, *map(turn, range(20)))
        work(installation)
        server.script = lambda _: failure(401, "no")
        take_in(installation, turn(30))
        before = estimate_waiting(installation)
        for _ in range(5):
            work(installation)
        after = estimate_waiting(installation)
        assert before.is_from_past
        assert (after.calls, after.output_tokens, after.more_calls) == (1, before.output_tokens, 0)


def settled(town: str) -> Draft:
    """Two of these are a question: nobody has declared whether one can have settled in two towns."""
    triple = {
        "subject": {"name": "Noor Haddad", "type": "person"},
        "predicate": "settled_in",
        "object": {"name": town, "type": "place"},
        "kind": "holds",
    }
    options = intake.Options(group_id="g", reference_time=datetime(2026, 1, 1, tzinfo=UTC))
    return replace(intake.read_text(json.dumps(triple), options), source_type=SourceType.FACT_TRIPLE)


def test_a_call_to_decide_that_fails_is_counted_and_a_reason_keeps_no_secret(
    opening: Opening, server: ScriptedServer
) -> None:
    server.refuses = ()
    told = {"item": 1, "reason": "her password is tulip-77, so", "verdict": "together"}
    with opening() as installation:
        take_in(installation, settled("Leeds"), settled("Porto"))
        work(installation)
        server.script = lambda _: failure(503, "busy")
        assert adjudicate(installation, "g").stopped
        server.script = lambda _: reply(json.dumps({"answers": [told]}), usage=(70, 7))
        assert adjudicate(installation, "g").asked == 1
        (row,) = costs(installation, [ListedBy.STAGE]).rows
        assert (row.calls, row.failed, row.retries, row.input_tokens) == (2, 1, 1, 70)
        compact(installation)
        (decision,) = decided(installation.record, "g", (DecisionKind.ADJUDICATE,))
        assert decision.reason == "her password is (withheld), so"


def test_replies_are_forgotten_in_every_group_and_with_the_turns_that_they_were_shown(
    opening: Opening, tmp_path: Path
) -> None:
    """A reply that two groups share, and one whose episode was shown the turn before, go with either."""
    with opening(MEMSTRATA_LLM_SHARE=1) as installation:
        take_in(
            installation,
            turn(1, where="Quillmere", saga="s"),
            turn(2, where="Brackwater", saga="s"),
            turn(3, group="a", where="Ostringen"),
            turn(3, group="b", where="Ostringen"),
        )
        compact(installation)
        waiting = installation.record.awaiting(limit=9)
        ids = {(one.group_id, one.content): one.episode_id for one in waiting}
        assert extract(installation).episodes == 4
        assert costs(installation).total.calls == 3  # the last was known from the other group
        first = ids["g", "Noor1 lives in Quillmere."]
        assert forget_replies(installation, "g", [first]) == 2
        assert forget_replies(installation, "b", [ids["b", "Noor3 lives in Ostringen."]]) == 1
        left = b"".join(path.read_bytes() for path in (tmp_path / "home").glob("models.db*"))
        assert not [town for town in (b"Quillmere", b"Brackwater", b"Ostringen") if town in left]
        assert estimate_waiting(installation).calls == 0
