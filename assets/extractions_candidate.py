"""`extractions_candidate`: what each episode of the day says by another version, seen by nobody yet."""

from datetime import timedelta

from dagster import AssetExecutionContext, Config, MaterializeResult, asset
from pydantic import Field

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of, tell
from assets.groups import fail_as_stopped
from memstrata.ports import Days
from memstrata.workflow.reextract import run_candidate
from resources.memory import MemstrataResource

_COUNTED = ("episodes", "assertions", "already_known", "failed", "unread")


class WhatToTry(Config):
    """Which groups are extracted again."""

    groups: list[str] = Field(default_factory=list, description="Only these groups; all of them if empty.")


@asset(
    deps=["episodes", "decisions"],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
    group_name="projection",
    kinds={"spacy", "parquet"},
    owners=OWNERS,
    pool="llm",
    code_version=hash_of("memstrata.extraction"),
)
def extractions_candidate(
    context: AssetExecutionContext, config: WhatToTry, memory: MemstrataResource
) -> MaterializeResult:
    """The day's episodes by the extractor of this run's resource, beside what is in force.

    Its model, prompt and rules make the version: configure the resource for it in the run. Nothing changes
    until `memstrata extractor promote`; a rerun goes on where it stopped, and tries again what failed.
    """
    stopped, extracted = "", 0
    with memory.opened() as installation:
        version = {"extractor_version": installation.extractor.version}
        for day in days_of(context):
            watch = Stopwatch()
            only = Days(since=day, until=day + timedelta(days=1))
            tried = run_candidate(installation, days=only, groups=config.groups or None)
            statuses = {f"status_{name}": count for name, count in tried.by_status}
            counts = {name: getattr(tried, name) for name in _COUNTED}
            tell(context, day, {**counts, **statuses, **version, "seconds": watch.seconds})
            stopped, extracted = tried.stopped, extracted + tried.episodes
            if stopped:
                break
    fail_as_stopped(stopped, {**version, "episodes": extracted})
    return MaterializeResult()
