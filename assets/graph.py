"""`graph`: what of the day is not committed yet is resolved, folded and applied, group by group."""

from dagster import AssetExecutionContext, MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of
from assets.groups import fail_with
from memstrata.workflow.embed import embed
from memstrata.workflow.work import commit_groups
from resources.memory import MemstrataResource


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
    watch = Stopwatch()
    with memory.opened() as installation:
        done = [commit_groups(installation, day=day) for day in days_of(context)]
        if failed := {group: why for _, refused in done for group, why in refused}:
            embed(installation)  # the step of the vectors will not run, and the other groups are due theirs
            fail_with(failed)
    committed = [one for groups, _ in done for one in groups]
    counted = ("commits", "episodes", "decisions", "facts_created", "facts_expired")
    metadata = {name: sum(getattr(one, name) for one in committed) for name in counted}
    groups = len({one.group_id for one in committed})
    return MaterializeResult(metadata={**metadata, "groups": groups, "seconds": watch.seconds})
