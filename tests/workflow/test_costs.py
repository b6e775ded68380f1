"""Budgets, prices and estimates on the whole line, against a model server over HTTP."""

from __future__ import annotations

import importlib.util
import json
import re
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.errors import Incorrect
from memstrata.language_models.scripted_server import ScriptedServer, completion
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.ports import ListedBy
from memstrata.settings import load_settings, opened
from memstrata.workflow.costs import Meter, costs, forget_replies
from memstrata.workflow.estimate import estimate, estimate_waiting
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import accept
from memstrata.workflow.waiting import remember
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from memstrata.language_models.scripted_server import Asked, Said
    from memstrata.ports import Installation

    Opening = Callable[..., AbstractContextManager[Installation]]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="openai is not installed (memstrata[openai])"
)

TOLD = re.compile(r"(\w+) lives in (\w+)\.")
BLOCK = re.compile(r"(?:Episode (\d+)|The episode), said on [^<]*<(text-\w+)>\n(.*?)\n</\2>", re.DOTALL)
ENTITY: dict[str, Any] = {"type": None, "aliases": [], "attributes": []}
PRICES = "models:\n  m: {input: 1, cached: 0.1, output: 2}\n"


def script(asked: Asked) -> Said:
    """Takes "A lives in B." from what is asked; the town Atlantis comes out wrong until it is mended."""
    is_repair = "cannot stand" in asked.user
    names: list[dict[str, Any]] = []
    assertions: list[dict[str, Any]] = []
    for number, _, text in BLOCK.findall(asked.user):
        where_it_is = {"episode": int(number)} if number else {}
        for who, where in TOLD.findall(text):
            is_wrong = where == "Atlantis" and not is_repair
            one = {
                "subject": who,
                "predicate": "lives_in",
                "object": where,
                "object_is_literal": False,
                "valid_at": None,
                "valid_at_precision": None,
                "invalid_at": None,
                "invalid_at_precision": None,
                "fact": f"{who} lives in {where}",
                "kind": "holds",
                "evidence": f"{who} sank with {where}" if is_wrong else f"{who} lives in {where}",
                "confidence": 0.9,
            }
            assertions.append(one | where_it_is | ({"item": 1} if is_repair else {}))
            names += [ENTITY | {"name": name} | where_it_is for name in (who, where)]
    told = json.dumps({"entities": [] if is_repair else names, "assertions": assertions})
    said = completion([{"role": "assistant", "content": told}], usage=(1_000, 50))
    body = json.loads(said.body)
    body["usage"]["prompt_tokens_details"] = {"cached_tokens": 400}
    return replace(said, body=json.dumps(body))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(script=script) as running:
        yield running


@pytest.fixture
def opening(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """Opens the memory as a process with these settings would."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prices.yaml").write_text(PRICES)

    @contextmanager
    def open_with(**given: Any) -> Iterator[Installation]:
        settings = {
            "MEMSTRATA_HOME": tmp_path / "home",
            "MEMSTRATA_EMBEDDER": "none",
            "MEMSTRATA_LLM_MODEL": "m",
            "OPENAI_BASE_URL": server.url,
            "MEMSTRATA_PRICES": tmp_path / "prices.yaml",
        }
        with opened(load_settings(**(settings | given))) as installation:
            yield installation

    return open_with


def told(number: int, *, group: str = "g", where: str = "Leeds") -> Draft:
    return Draft(
        group_id=group,
        source="test",
        source_type=SourceType.TEXT,
        content=f"Noor{number} lives in {where}.",
        reference_time=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number),
        time_source=TimeSource.OWN,
        native_id=f"{group}-{number}",
    )


def take_in(installation: Installation, *drafts: Draft) -> None:
    list(accept(installation, drafts))


def facts(installation: Installation) -> dict[str, int]:
    return {one.group_id: one.facts for one in installation.graph.counts()}


def test_a_spent_budget_ends_the_run_and_the_next_goes_on(opening: Opening, server: ScriptedServer) -> None:
    with opening(MEMSTRATA_BUDGET_RUN="3 calls") as installation:
        take_in(installation, *map(told, range(8)))
        worked = work(installation)
        assert (worked.extracted.episodes, worked.extracted.failed) == (3, 0)
        assert "MEMSTRATA_BUDGET_RUN = '3 calls'" in worked.extracted.stopped
        assert not worked.extracted.put_off
        assert worked.extracted.pending == 5
        assert facts(installation) == {"g": 3}  # what was paid for is in the graph
        assert work(installation).extracted.episodes == 0  # it is still the same run
    assert len(server.asked) == 3
    with opening() as installation:
        work(installation)
        assert facts(installation) == {"g": 8}
        assert installation.record.letters() == ()
    assert len(server.asked) == 8  # nothing was asked twice


def test_a_group_over_its_budget_waits_and_others_go_on(opening: Opening, server: ScriptedServer) -> None:
    with opening(MEMSTRATA_BUDGET_GROUP="2 calls") as installation:
        take_in(
            installation, *(told(n, group="a") for n in range(70)), told(80, group="b"), told(81, group="b")
        )
        worked = work(installation)
        assert dict(worked.extracted.put_off).keys() == {"a"}
        assert not worked.extracted.stopped
        assert facts(installation) == {"a": 2, "b": 2}
        assert worked.extracted.pending == 68
    assert len(server.asked) == 4


def test_a_budget_of_zero_is_refused_at_once_and_loses_nothing(
    opening: Opening, server: ScriptedServer
) -> None:
    with opening(MEMSTRATA_BUDGET_DAY=0) as installation:
        take_in(installation, told(1))
        assert "allows no call" in work(installation).extracted.stopped
        assert estimate_waiting(installation).episodes == 1
    assert not server.asked


def test_whoever_waits_is_told_what_is_spent(opening: Opening) -> None:
    with opening(MEMSTRATA_BUDGET_GROUP="0 USD") as installation:
        (answer,) = remember(installation, [told(1)])
        assert "MEMSTRATA_BUDGET_GROUP = '0 USD'" in answer.waiting


def test_money_counts_what_was_cached_at_its_price(opening: Opening) -> None:
    with opening() as installation:
        take_in(installation, told(1), told(2, where="Atlantis"), told(3, group="h"))
        work(installation)
        found = costs(installation, [ListedBy.GROUP, ListedBy.STAGE])
        assert found.currency == "USD"
        a_call = (600 * 1 + 400 * 0.1 + 50 * 2) / 1e6
        rows = {(one.key["group"], one.key["stage"]): one for one in found.rows}
        assert {key: one.calls for key, one in rows.items()} == {
            ("g", "extract"): 2,
            ("g", "repair"): 1,
            ("h", "extract"): 1,
        }
        assert rows["g", "extract"].cost == pytest.approx(2 * a_call)
        assert found.total.cost == pytest.approx(4 * a_call)
        assert costs(installation, group_id="h").total.calls == 1
        assert costs(installation, since=datetime.now(UTC).date() + timedelta(days=1)).total.calls == 0


def test_without_a_price_the_cost_is_unknown_and_tokens_are_counted(
    opening: Opening, tmp_path: Path
) -> None:
    (tmp_path / "prices.yaml").write_text("models: {}")
    with opening() as installation:
        take_in(installation, told(1))
        work(installation)
        total = costs(installation).total
        assert (total.cost, total.unpriced, total.input_tokens) == (None, ("m",), 1_000)
        assert estimate(installation, []).cost is None


def test_what_a_run_took_plots_by_stage(opening: Opening) -> None:
    with opening() as installation:
        meter = Meter(installation)
        take_in(installation, told(1), told(2, where="Atlantis"))
        compact(installation)
        extract(installation)
        numbers = meter.numbers()
        assert (numbers["calls"], numbers["calls_extract"], numbers["calls_repair"]) == (3, 2, 1)
        assert numbers["cost"] == pytest.approx(numbers["cost_extract"] + numbers["cost_repair"], abs=1e-6)
        assert meter.numbers() == {}


def test_an_estimate_is_what_it_takes_then(opening: Opening, server: ScriptedServer) -> None:
    with opening() as installation:
        take_in(installation, *map(told, range(30)))
        before = estimate_waiting(installation)
        assert (before.episodes, before.calls, before.is_from_past) == (30, 30, False)
        assert not server.asked
        work(installation)
        assert len(server.asked) == 30
        take_in(installation, *map(told, range(30, 40)))
        after = estimate_waiting(installation)
        assert (after.episodes, after.calls, after.more_calls) == (10, 10, 0)
        assert after.is_from_past
        assert after.output_tokens == 500
        compact(installation)
        assert estimate_waiting(installation) == after  # compacted or not


def test_an_estimate_tells_how_turns_share_calls(opening: Opening, server: ScriptedServer) -> None:
    with opening() as installation:
        turns = [replace(told(n), saga="s", position=n) for n in range(9)]
        take_in(installation, *turns)
        calls = estimate_waiting(installation).calls
        work(installation)
        firsts = [asked for asked in server.asked if "cannot stand" not in asked.user]
        assert calls == len(firsts) < len(turns)


def test_kept_replies_cost_nothing_until_they_are_forgotten(
    opening: Opening, server: ScriptedServer
) -> None:
    with opening() as installation:
        take_in(installation, told(1), told(2))
        compact(installation)
        waiting = installation.record.awaiting(limit=9)
        for _ in installation.extractor.extract_all((one, ()) for one in waiting):
            pass
        assert estimate_waiting(installation).calls == 0
        assert forget_replies(installation, "g", [waiting[0].episode_id]) == 1
        assert estimate_waiting(installation).calls == 1
        work(installation)
    assert len(server.asked) == 3


def test_offline_extraction_costs_nothing(opening: Opening) -> None:
    with opening(MEMSTRATA_LLM_MODEL="") as installation:
        take_in(installation, told(1))
        found = estimate_waiting(installation)
        assert (found.model, found.episodes, found.calls, found.cost) == ("", 1, 0, 0)


def test_a_wrong_setting_is_named_when_the_memory_is_opened(opening: Opening, tmp_path: Path) -> None:
    with pytest.raises(Incorrect, match="MEMSTRATA_BUDGET_RUN = '5'"), opening(MEMSTRATA_BUDGET_RUN=5):
        pass
    (tmp_path / "prices.yaml").write_text("models:\n  m: {input: 1}\n")
    with pytest.raises(Incorrect, match=r"prices\.yaml, line 2, m: output is missing"), opening():
        pass
