"""Dry runs in Dagster: what extraction would take is told, nothing is asked, kept or materialised."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from dagster import AssetKey
from dated_memory import DatedMemory, day, run, take, use

from memstrata.language_models.scripted_server import ScriptedServer, reply
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.ports import Days
from memstrata.workflow.costs import costs
from memstrata.workflow.estimate import estimate_run, estimate_waiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from dagster import DagsterInstance, ExecuteInProcessResult

pytest.importorskip("openai")

NOTHING = json.dumps({"entities": [], "assertions": []})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(script=lambda _: reply(NOTHING, usage=(1_000, 50))) as running:
        yield running


@pytest.fixture
def asking(memory: DatedMemory, server: ScriptedServer, tmp_path: Path) -> DatedMemory:
    """A memory whose extractor asks a model, with two episodes of each of three days."""
    (tmp_path / "home").mkdir()
    asking = asking_of(memory, server, "gpt-5-mini")
    for number in range(3):
        on = day(number)
        take(asking, on, *(said(on, number, group) for group in "gh"))
    return asking


def asking_of(memory: DatedMemory, server: ScriptedServer, model: str) -> DatedMemory:
    return DatedMemory(home=memory.home, llm_model=model, openai_base_url=server.url, openai_api_key="none")


def said(on: date, number: int, group: str) -> Draft:
    return Draft(
        group_id=group,
        source="test",
        source_type=SourceType.TEXT,
        content=f"Noor{number} of {group} lives in Leeds.",
        reference_time=datetime(on.year, on.month, on.day, 9, tzinfo=UTC),
        time_source=TimeSource.OWN,
    )


def observed(done: ExecuteInProcessResult, asset: str) -> dict[str | None, dict[str, Any]]:
    """What was observed of each day, and of all under None."""
    found = {}
    for event in done.all_events:
        if event.event_type_value == "ASSET_OBSERVATION" and event.asset_key == AssetKey(asset):
            observation = event.asset_observation_data.asset_observation
            metadata = {
                name: getattr(value, "records", value.value) for name, value in observation.metadata.items()
            }
            found[observation.partition] = metadata
    return found


def materialised(done: ExecuteInProcessResult) -> set[str]:
    return {
        event.asset_key.to_user_string()
        for event in done.all_events
        if event.event_type_value == "ASSET_MATERIALIZATION" and event.asset_key is not None
    }


def dry(asset: str, **more: object) -> dict[str, Any]:
    return {"ops": {asset: {"config": {"dry_run": True, **more}}}}


@pytest.mark.slow
def test_a_backfill_tells_what_it_would_take_and_stops_before_extraction(
    asking: DatedMemory, server: ScriptedServer, instance: DagsterInstance
) -> None:
    done = run("backfill", asking, instance, days=(day(0), day(2)), config=dry("extractions"))
    assert done.success
    assert not materialised(done) & {"extractions", "resolutions", "graph", "vectors"}
    told = observed(done, "extractions")
    assert {on: one["estimated_episodes"] for on, one in told.items()} == {
        None: 6,
        **{day(number).isoformat(): 2 for number in range(3)},
    }
    with use(asking) as installation:
        whole = estimate_waiting(installation)
        assert costs(installation).total.calls == 0
        assert len(installation.record.awaiting(limit=9)) == 6
    assert told[None]["estimated_calls"] == pytest.approx(whole.calls + whole.more_calls)
    assert told[None]["estimated_cost"] == pytest.approx(whole.cost, abs=1e-6)
    assert "6 episodes by gpt-5-mini: 6 calls" in told[None]["estimate"]
    assert [one.data["day"] for one in told[None]["days"]] == sorted(on for on in told if on)
    assert server.asked == []
    assert run("backfill", asking, instance, days=(day(0), day(2))).success
    assert len(server.asked) >= 6


@pytest.mark.slow
def test_a_candidate_run_tells_what_its_own_extractor_would_take_of_its_groups(
    asking: DatedMemory, server: ScriptedServer, instance: DagsterInstance
) -> None:
    assert run("backfill", asking, instance, days=(day(0), day(2))).success
    asked = len(server.asked)
    other = asking_of(asking, server, "gpt-5-nano")
    config = dry("extractions_candidate", groups=["h"])
    done = run("reextract", other, instance, days=(day(0), day(1)), config=config)
    assert done.success
    assert materialised(done) == set()
    told = observed(done, "extractions_candidate")
    assert told[None]["estimated_episodes"] == 2
    assert "2 episodes by gpt-5-nano: 2 calls" in told[None]["estimate"]
    assert len(server.asked) == asked
    with use(other) as installation:
        found = estimate_run(installation, days=Days(until=day(2)), groups=["h"])
        assert (found.episodes, found.calls) == (2, 2)
    done = run("reextract", other, instance, days=(day(0), day(1)))
    assert materialised(done) == {"extractions_candidate"}
    with use(other) as installation:
        assert estimate_run(installation, days=Days(until=day(2))).to_do == 0
    numbers = [
        {
            name: value.value
            for name, value in event.step_materialization_data.materialization.metadata.items()
        }
        for event in done.all_events
        if event.event_type_value == "ASSET_MATERIALIZATION"
    ]
    assert sum(one["calls"] for one in numbers) == 4
