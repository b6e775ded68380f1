"""What runs when something has happened: new episodes ask for a run, new commits are reported."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice

from dagster import (
    AssetMaterialization,
    DagsterRunStatus,
    DefaultSensorStatus,
    RunRequest,
    RunsFilter,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from memstrata.model import Commit
from memstrata.ports import Installation
from memstrata.workflow.watch import CommittedOn, commits_by_day, waiting
from pipelines import jobs
from resources.memory import MemstrataResource

#: What has not moved in this time is tried again: a full disk may have been emptied since.
TRY_AGAIN = timedelta(hours=1)
_UNDER_WAY = [
    DagsterRunStatus.QUEUED,
    DagsterRunStatus.NOT_STARTED,
    DagsterRunStatus.STARTING,
    DagsterRunStatus.STARTED,
]
_MOST_DAYS = 31
_MOST_COMMITS = 200


@sensor(
    name="pending",
    job=jobs.intake,
    minimum_interval_seconds=30,
    default_status=DefaultSensorStatus.RUNNING,
)
def pending(context: SensorEvaluationContext, memory: MemstrataResource) -> list[RunRequest] | SkipReason:
    """Asks for a run of `intake` for each day that has something waiting; one run drains at a time.

    What has just been accepted is compacted by the run of the present day; if it is of another, the next
    tick finds that out. What fails is tried again when something moves, or after an hour.
    """
    if not memory.exists:
        return SkipReason("there is no memory yet; `memstrata add` or `memstrata ingest` begins one")
    if context.instance.get_runs_count(RunsFilter(job_name=jobs.intake.name, statuses=_UNDER_WAY)):
        return SkipReason("a run of intake is under way")
    with memory.opened() as installation:
        found = waiting(installation)
    if not found:
        return SkipReason("nothing waits")
    now = datetime.now(UTC)
    last_state, last_time = json.loads(context.cursor or '["", "2000-01-01T00:00:00+00:00"]')
    if found.state == last_state and now - datetime.fromisoformat(last_time) < TRY_AGAIN:
        return SkipReason("what waits failed before and has not moved since: see the last run of intake")
    context.update_cursor(json.dumps([found.state, now.isoformat()]))
    days = {*found.days, now.date()} if found.spooled else set(found.days)
    return [RunRequest(partition_key=day.isoformat()) for day in sorted(days)[:_MOST_DAYS]]


@sensor(name="commits", minimum_interval_seconds=30, default_status=DefaultSensorStatus.RUNNING)
def commits(context: SensorEvaluationContext, memory: MemstrataResource) -> SensorResult | SkipReason:
    """Reports new commits, whoever made them, as one materialisation of `graph` for each day they touch."""
    if not memory.exists:
        return SkipReason("there is no memory yet")
    seen: dict[str, int] = json.loads(context.cursor or "{}")
    found: defaultdict[date, list[CommittedOn]] = defaultdict(list)
    with memory.opened() as installation:
        for commit in _new_commits(installation, seen):
            for on in commits_by_day(installation, commit):
                found[on.day].append(on)
            seen[commit.group_id] = commit.seq
    if not found:
        return SkipReason("no new commits")
    return SensorResult(
        asset_events=[_reported(day, found[day]) for day in sorted(found)], cursor=json.dumps(seen)
    )


def _new_commits(installation: Installation, seen: Mapping[str, int]) -> Iterator[Commit]:
    """The commits after those seen, as many as one tick takes; the others are of the next tick."""
    for group_id in installation.record.groups():
        new = installation.record.commits(group_id, after=seen.get(group_id, 0))
        yield from islice(new, _MOST_COMMITS)


def _reported(day: date, found: Sequence[CommittedOn]) -> AssetMaterialization:
    return AssetMaterialization(
        asset_key="graph",
        partition=day.isoformat(),
        description="As the log has it.",
        metadata={
            "commits": len(found),
            "episodes": sum(one.episodes for one in found),
            "decisions": sum(one.decisions for one in found),
            "groups": len({one.group_id for one in found}),
            "which": ", ".join(f"{one.group_id} {one.seq}" for one in found),
        },
    )
