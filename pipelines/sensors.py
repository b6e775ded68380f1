"""What runs when something has happened: new episodes ask for a run, new commits are reported."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

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
from memstrata.workflow.watch import waiting
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
    """Reports new commits, whoever made them, as materialisations of `graph` for the days they touch."""
    if not memory.exists:
        return SkipReason("there is no memory yet")
    seen: dict[str, int] = json.loads(context.cursor or "{}")
    events: list[AssetMaterialization] = []
    with memory.opened() as installation:
        for group_id in installation.record.groups():
            for commit in installation.record.commits(group_id, after=seen.get(group_id, 0)):
                if len(events) >= _MOST_COMMITS:
                    break
                events.extend(_reported(installation, commit))
                seen[group_id] = commit.seq
    if not events:
        return SkipReason("no new commits")
    return SensorResult(asset_events=events, cursor=json.dumps(seen))


def _reported(installation: Installation, commit: Commit) -> Iterator[AssetMaterialization]:
    wanted = [(one.episode_id, one.revision) for one in commit.episodes]
    episodes = installation.record.episodes(commit.group_id, wanted)
    decisions = installation.record.decisions(commit.group_id, commit.decisions)
    days = [episode.ingested_at.date() for episode in episodes] + [one.at.date() for one in decisions]
    for day in sorted(set(days)):
        yield AssetMaterialization(
            asset_key="graph",
            partition=day.isoformat(),
            description=f"Commit {commit.seq} of group {commit.group_id}, as the log has it.",
            metadata={
                "group": commit.group_id,
                "seq": str(commit.seq),
                "instant": commit.instant.isoformat(),
                "commit_episodes": sum(episode.ingested_at.date() == day for episode in episodes),
                "commit_decisions": sum(one.at.date() == day for one in decisions),
                "extractor_version": commit.extractor_version,
                "resolver_version": commit.resolver_version,
            },
        )
