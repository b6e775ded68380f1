"""`extractions`: what each episode of the day says, by the extractor version in force."""

from dagster import AssetExecutionContext, MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of, tell
from memstrata.workflow.extract import extract
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
    code_version=hash_of("memstrata.extraction"),
)
def extractions(context: AssetExecutionContext, memory: MemstrataResource) -> MaterializeResult:
    """Mentions and assertions of the day's episodes that have none of this extractor version yet.

    A rerun extracts what is missing; an episode that fails too often goes to the dead letters. What each
    rule of verification found is counted, as `<verdict>_<rule>`.
    """
    with memory.opened() as installation:
        version = {"extractor_version": installation.extractor.version}
        for day in days_of(context):
            watch = Stopwatch()
            done = extract(installation, day=day)
            statuses = {f"status_{name}": count for name, count in done.by_status}
            counts = {name: getattr(done, name) for name in _COUNTED}
            outcomes = {f"{verdict}_{rule}": count for rule, verdict, count in done.by_outcome}
            tell(context, day, {**counts, **statuses, **outcomes, **version, "seconds": watch.seconds})
    return MaterializeResult()
