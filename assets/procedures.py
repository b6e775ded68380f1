"""`procedures`: what agents did again and again with their tools, and succeeded."""

from dagster import MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, hash_of
from assets.groups import fail_with, walked
from memstrata.workflow.consolidate import mine_procedures
from resources.memory import MemstrataResource


@asset(
    deps=["graph"],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
    group_name="consolidation",
    kinds={"sqlite", "python"},
    owners=OWNERS,
    pool="graph_write",
    code_version=hash_of("memstrata.consolidation"),
)
def procedures(memory: MemstrataResource) -> MaterializeResult:
    """Tool sequences of successful runs with their support, as of each group's last commit.

    The day is that of the run; a run without new traces leaves the procedures as they are.
    """
    watch = Stopwatch()
    with memory.opened() as installation:
        groups = installation.record.groups()
        done, failed = walked(groups, lambda group: mine_procedures(installation, group))
    fail_with(failed)
    metadata = {
        name: sum(getattr(one, name) for one in done)
        for name in ("traces", "judged", "procedures", "changed")
    }
    return MaterializeResult(metadata={**metadata, "groups": len(done), "seconds": watch.seconds})
