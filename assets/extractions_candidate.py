"""`extractions_candidate`: what each episode of the day says by another version, seen by nobody yet."""

from collections.abc import Iterator
from datetime import date, timedelta

from dagster import AssetExecutionContext, MaterializeResult, asset
from pydantic import Field

from assets.counting import counts_of
from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of, tell
from assets.estimates import DryRun, tell_estimates
from assets.groups import fail_as_stopped
from memstrata.ports import Days
from memstrata.workflow.costs import Meter
from memstrata.workflow.estimate import estimate_run
from memstrata.workflow.reextract import run_candidate
from resources.memory import MemstrataResource

_COUNTED = ("episodes", "assertions", "held", "already_known", "failed", "unread")


class WhatToTry(DryRun):
    """Which groups are extracted again, or told of."""

    groups: list[str] = Field(default_factory=list, description="Only these groups; all of them if empty.")


@asset(
    deps=["episodes", "decisions"],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
    group_name="projection",
    kinds={"spacy", "parquet"},
    owners=OWNERS,
    pool="llm",
    output_required=False,  # a dry run has none
    code_version=hash_of("memstrata.extraction"),
)
def extractions_candidate(
    context: AssetExecutionContext, config: WhatToTry, memory: MemstrataResource
) -> Iterator[MaterializeResult]:
    """The day's episodes by the extractor of this run's resource, beside what is in force.

    Its model, prompt and rules make the version: configure the resource for it in the run. Nothing changes
    until `memstrata extractor promote`; a rerun goes on where it stopped, and tries again what failed. What
    verification found is counted as in `extractions`. With `dry_run` it only tells what that would take.
    """
    stopped, extracted, groups = "", 0, config.groups or None
    with memory.opened() as installation:
        if config.dry_run:
            tell_estimates(context, lambda day: estimate_run(installation, days=_only(day), groups=groups))
            return
        version = {"extractor_version": installation.extractor.version}
        meter = Meter(installation)
        for day in days_of(context):
            watch = Stopwatch()
            tried = run_candidate(installation, days=_only(day), groups=groups)
            took = {**meter.numbers(), "seconds": watch.seconds}
            tell(context, day, {**counts_of(tried, _COUNTED), **version, **took})
            stopped, extracted = tried.stopped, extracted + tried.episodes
            if stopped:
                break
    fail_as_stopped(stopped, {**version, "episodes": extracted})
    yield MaterializeResult()


def _only(day: date) -> Days:
    return Days(since=day, until=day + timedelta(days=1))
