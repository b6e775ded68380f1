"""`graph`: what of the day is not committed yet is resolved, folded and applied, group by group."""

from dagster import AssetExecutionContext, MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of, tell
from assets.groups import fail_with
from memstrata.ports import Exporter, Installation
from memstrata.workflow.embed import embed
from memstrata.workflow.lag import lag_of
from memstrata.workflow.work import commit_groups
from resources.memory import MemstrataResource

_COUNTED = ("commits", "episodes", "decisions", "facts_created", "facts_expired")


@asset(
    deps=["resolutions"],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
    group_name="projection",
    kinds={"sqlite", "python"},
    owners=OWNERS,
    pool="graph_write",
    code_version=hash_of("memstrata.resolution", "memstrata.bitemporal", "memstrata.projection"),
)
def graph(context: AssetExecutionContext, memory: MemstrataResource) -> MaterializeResult:
    """Commits of the day's episodes and decisions; a rerun commits what is missing, old times stay.

    A group that fails keeps none of the others from their commits; the run then fails with the list.
    """
    failed: dict[str, str] = {}
    with memory.opened() as installation:
        for day in days_of(context):
            watch = Stopwatch()
            done, refused = commit_groups(installation, day=day)
            failed |= refused
            counts = {name: sum(getattr(one, name) for one in done) for name in _COUNTED}
            counts |= {"groups": len(done), "seconds": watch.seconds}
            tell(context, day, {**counts, **_held(installation.graph), **_lag(installation)})
        if failed:
            embed(installation)  # the step of the vectors will not run, and the other groups are due theirs
    fail_with(failed)
    return MaterializeResult()


def _lag(installation: Installation) -> dict[str, float]:
    """Seconds from acceptance to commit, of the episodes committed last in all groups."""
    lag = lag_of(installation)
    times = {"lag_p50_s": lag.p50, "lag_p95_s": lag.p95}
    return {name: round(time.total_seconds(), 3) for name, time in times.items() if time is not None}


def _held(graph: Exporter) -> dict[str, int]:
    """How much all groups together hold now."""
    counts = graph.counts()
    return {
        "all_facts": sum(one.facts for one in counts),
        "all_entities": sum(one.entities for one in counts),
    }
