"""`episodes` and `decisions`: what the spool holds becomes immutable parts of the log."""

from collections.abc import Iterator

from dagster import AssetExecutionContext, AssetSpec, MaterializeResult, multi_asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of
from memstrata.workflow.work import compact
from resources.memory import MemstrataResource

_VERSION = hash_of("memstrata.intake", "memstrata.stores.lake")


@multi_asset(
    name="record",
    specs=[
        AssetSpec(
            "episodes",
            description="What was accepted on the day: immutable input events, each revision numbered. "
            "Compacted from the spool, of whichever day it holds episodes; late ones never rewrite a day.",
            group_name="record",
            kinds={"parquet", "python"},
            owners=OWNERS,
            code_version=_VERSION,
        ),
        AssetSpec(
            "decisions",
            description="What was decided on the day by people, models and policies. The configured "
            "ontology becomes a decision here when it has changed.",
            group_name="record",
            kinds={"parquet", "python"},
            owners=OWNERS,
            code_version=_VERSION,
        ),
    ],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
)
def record(context: AssetExecutionContext, memory: MemstrataResource) -> Iterator[MaterializeResult]:
    """One compaction for both streams: a decision always finds its episode compacted."""
    watch = Stopwatch()
    with memory.opened() as installation:
        done = compact(installation)
        for day in days_of(context):
            rows = {"dagster/row_count": sum(1 for _ in installation.record.accepted_on(day))}
            context.add_asset_metadata(rows, asset_key="episodes", partition_key=day.isoformat())
    yield MaterializeResult(
        asset_key="episodes",
        metadata={
            "new": done.new,
            "repeated": done.repeated,
            "revised": done.revised,
            "torn_bytes": done.torn_bytes,
            "seconds": watch.seconds,
        },
    )
    yield MaterializeResult(
        asset_key="decisions", metadata={"new": done.decisions, "seconds": watch.seconds}
    )
