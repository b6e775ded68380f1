"""`summaries`: what is known of each entity, told anew where it has changed."""

from dagster import MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, hash_of
from assets.groups import fail_with, walked
from memstrata.workflow.consolidate import summarise_changed
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
def summaries(memory: MemstrataResource) -> MaterializeResult:
    """Blocks that cite their facts, as of each group's last commit; the day is that of the run.

    Only entities whose facts changed are told anew; earlier summaries stay readable as of their time.
    """
    watch = Stopwatch()
    with memory.opened() as installation:
        groups = installation.record.groups()
        done, failed = walked(groups, lambda group: summarise_changed(installation, group))
    fail_with(failed)
    metadata = {
        name: sum(getattr(one, name) for one in done)
        for name in ("entities", "written", "emptied", "blocks")
    }
    return MaterializeResult(metadata={**metadata, "groups": len(done), "seconds": watch.seconds})
