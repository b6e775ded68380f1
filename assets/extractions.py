"""`extractions`: what each episode of the day says, by the extractor version in force."""

from collections.abc import Iterator
from datetime import date

from dagster import AssetExecutionContext, MaterializeResult, asset

from assets.counting import counts_of
from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of, tell
from assets.estimates import DryRun, tell_estimates
from assets.groups import fail_as_stopped
from memstrata.ports import Installation
from memstrata.workflow.costs import Meter
from memstrata.workflow.embed import embed
from memstrata.workflow.estimate import estimate_waiting
from memstrata.workflow.extract import extract
from memstrata.workflow.work import commit_groups
from resources.memory import MemstrataResource

_COUNTED = ("episodes", "assertions", "held", "already_known", "failed")


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
def extractions(
    context: AssetExecutionContext, config: DryRun, memory: MemstrataResource
) -> Iterator[MaterializeResult]:
    """Mentions and assertions of the day's episodes that have none of this extractor version yet.

    A rerun extracts what is missing; an episode that fails too often goes to the dead letters. What each
    rule of verification found is counted, as `<verdict>_<rule>`; what models took plots by stage. Where the
    extractor stops (its model is away, a budget is used up), what it gave is committed, the rest waits, and
    the run fails with the reason. With `dry_run` it only tells what that would take.
    """
    stopped, extracted = "", 0
    with memory.opened() as installation:
        if config.dry_run:
            tell_estimates(context, lambda day: estimate_waiting(installation, day=day))
            return
        version = {"extractor_version": installation.extractor.version}
        meter = Meter(installation)
        for day in days_of(context):
            watch = Stopwatch()
            done = extract(installation, day=day)
            took = {**meter.numbers(), **done.what_is_left, "seconds": watch.seconds}
            tell(context, day, {**counts_of(done, _COUNTED), **version, **took})
            stopped, extracted = done.stopped, extracted + done.episodes
            if stopped:
                break
        refused = _go_on(installation, days_of(context)) if stopped else {}
    fail_as_stopped(stopped, {**version, "episodes": extracted, **refused})
    yield MaterializeResult()


def _go_on(installation: Installation, days: list[date]) -> dict[str, str]:
    """The steps that follow will not run: what is extracted of the days is committed here, and embedded.

    Gives why it was refused, by group.
    """
    refused: dict[str, str] = {}
    for day in days:
        refused.update(commit_groups(installation, day=day)[1])
    embed(installation)
    return refused
