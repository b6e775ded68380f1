"""`extractions`: what each episode of the day says, by the extractor version in force."""

from dagster import AssetExecutionContext, MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of
from memstrata.workflow.extract import extract
from resources.memory import MemstrataResource


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
def extractions(context: AssetExecutionContext, memory: MemstrataResource) -> MaterializeResult:
    """Mentions and assertions of the day's episodes that have none of this extractor version yet.

    A rerun extracts what is missing; an episode that fails too often goes to the dead letters.
    """
    watch = Stopwatch()
    with memory.opened() as installation:
        done = [extract(installation, day=day) for day in days_of(context)]
        version = installation.extractor.version
    statuses = {f"status_{name}": 0 for one in done for name, _ in one.by_status}
    for name, count in (pair for one in done for pair in one.by_status):
        statuses[f"status_{name}"] += count
    counts = {
        "episodes": sum(one.episodes for one in done),
        "assertions": sum(one.assertions for one in done),
        "already_known": sum(one.already_known for one in done),
        "failed": sum(one.failed for one in done),
    }
    return MaterializeResult(
        metadata={**counts, **statuses, "extractor_version": version, "seconds": watch.seconds}
    )
