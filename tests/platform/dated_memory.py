"""A memory whose clock the test sets, as the resource that the Dagster project runs on."""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memstrata.model import DecisionKind, Draft, SourceType, TimeSource
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.intake import Ruling, accept, decide
from pipelines.definitions import definitions
from resources.memory import MemstrataResource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dagster import DagsterInstance, ExecuteInProcessResult

    from memstrata.ports import Installation

FIRST = date(2025, 3, 1)


def day(number: int) -> date:
    """The day that many days after the first."""
    return FIRST + timedelta(days=number)


class _Clock:
    def __init__(self) -> None:
        self.instant = datetime(2025, 3, 1, 8, tzinfo=UTC)

    def now(self) -> datetime:
        return self.instant


#: By home, because Dagster copies a resource for each run.
_CLOCKS: defaultdict[str, _Clock] = defaultdict(_Clock)


class DatedMemory(MemstrataResource):
    """The resource with a clock that stands where the test puts it."""

    def set(self, on: date, hour: int = 12) -> None:
        """Puts the clock."""
        _CLOCKS[self.home].instant = datetime(on.year, on.month, on.day, hour, tzinfo=UTC)

    def _install(self) -> Installation:
        return replace(super()._install(), clock=_CLOCKS[self.home])


@contextmanager
def use(memory: DatedMemory) -> Iterator[Installation]:
    """The installation, for what a test does beside Dagster."""
    with memory.opened() as installation:
        yield installation


def says(
    subject: str,
    predicate: str,
    object_: str,
    *,
    at: date,
    group: str = "default",
    kind: str = "holds",
    key: str | None = None,
    types: tuple[str, str] = ("Person", "Organization"),
) -> Draft:
    """A declared triple, said on a day."""
    content = {
        "subject": {"name": subject, "type": types[0]},
        "predicate": predicate,
        "object": {"name": object_, "type": types[1]},
        "kind": kind,
    }
    return Draft(
        group_id=group,
        source="test",
        source_type=SourceType.FACT_TRIPLE,
        content=json.dumps(content),
        reference_time=datetime(at.year, at.month, at.day, 9, tzinfo=UTC),
        time_source=TimeSource.OWN,
        episode_id=key,
    )


def called(*tools: str, task: str, at: date, group: str = "default") -> Draft:
    """A successful run of an agent: the tools it called, one after another."""
    calls = [
        {"id": str(place), "type": "function", "function": {"name": tool, "arguments": '{"id": "x"}'}}
        for place, tool in enumerate(tools)
    ]
    return Draft(
        group_id=group,
        source="test",
        source_type=SourceType.JSON,
        content=json.dumps({"messages": [{"role": "assistant", "tool_calls": calls}]}),
        reference_time=datetime(at.year, at.month, at.day, 10, tzinfo=UTC),
        time_source=TimeSource.OWN,
        saga=f"run-{task}",
        metadata={"task": task, "success": True},
    )


def take(memory: DatedMemory, on: date, *drafts: Draft) -> None:
    """Accepts the drafts on that day."""
    memory.set(on)
    with use(memory) as installation:
        for _ in accept(installation, drafts):
            pass


def retract(memory: DatedMemory, on: date, episode_id: str, *, group: str) -> None:
    """Decides on that day that the episode is withdrawn."""
    memory.set(on)
    with use(memory) as installation:
        decide(
            installation,
            Ruling(
                group_id=group,
                kind=DecisionKind.RETRACT,
                target={"episode_id": episode_id},
                payload={},
                who="a test",
            ),
        )


def run(
    job: str,
    memory: DatedMemory,
    instance: DagsterInstance,
    *,
    days: tuple[date, ...] = (),
    tags: Mapping[str, str] | None = None,
    config: Any = None,
) -> ExecuteInProcessResult:
    """Runs a job as Dagster does, for no day, one, or the range from one to another."""
    ranged = {}
    if len(days) > 1:
        ranged = {
            "dagster/asset_partition_range_start": days[0].isoformat(),
            "dagster/asset_partition_range_end": days[-1].isoformat(),
        }
    return definitions.resolve_job_def(job).execute_in_process(
        instance=instance,
        partition_key=days[0].isoformat() if len(days) == 1 else None,
        resources={"memory": memory},
        tags={**ranged, **(tags or {})},
        run_config=config,
        raise_on_error=False,
    )


def numbers(result: ExecuteInProcessResult) -> dict[str, dict[str, object]]:
    """The metadata of the run's materialisations by asset; of a range, that of one of its days."""
    return {
        event.asset_key.to_user_string(): {
            name: value.value
            for name, value in event.step_materialization_data.materialization.metadata.items()
        }
        for event in result.get_asset_materialization_events()
    }


def each_day(result: ExecuteInProcessResult, asset: str, name: str) -> dict[str | None, object]:
    """One number of an asset's metadata by day."""
    return {
        event.step_materialization_data.materialization.partition: (
            event.step_materialization_data.materialization.metadata[name].value
        )
        for event in result.get_asset_materialization_events()
        if event.asset_key.to_user_string() == asset
    }


def exported(installation: Installation, group: str, *, history: bool = False) -> list[str]:
    """The canonical export."""
    return list(canonical_lines(installation.graph, group, history=history))
